import Fuse from "fuse.js";

export const NAME = "fuse_js";
export const DESCRIPTION = "Titles found in spite of typing errors, best first, with the places that matched.";

const BOOKS = [
  { title: "Old Man's War", author: "John Scalzi" },
  { title: "The Lock Artist", author: "Steve Hamilton" },
  { title: "The War of the Worlds", author: "H. G. Wells" },
];

export function run() {
  const fuse = new Fuse(BOOKS, { keys: ["title", "author"], includeMatches: true, threshold: 0.3 });
  return {
    typo: fuse.search("lokc artist").map(({ item }) => item.title),
    author: fuse.search("hamilton").map(({ item, matches }) => [item.title, matches?.[0].key]),
    none: fuse.search("zzzz").length,
  };
}
