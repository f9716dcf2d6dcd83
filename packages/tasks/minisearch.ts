import MiniSearch from "minisearch";

export const NAME = "minisearch";
export const DESCRIPTION = "A full text index with a boost, prefixes and typing errors, saved and loaded.";

const PAGES = [
  { id: 1, title: "Moby Dick", text: "Call me Ishmael. A whale of a story" },
  { id: 2, title: "Whales", text: "Large animals of the sea" },
  { id: 3, title: "Neuromancer", text: "The sky above the port" },
];

export function run() {
  const options = { fields: ["title", "text"], storeFields: ["title"] };
  const index = new MiniSearch(options);
  index.addAll(PAGES);
  const loaded = MiniSearch.loadJSON(JSON.stringify(index), options);
  return {
    boosted: index.search("whale", { prefix: true, boost: { title: 5 } }).map(({ id }) => id),
    typo: loaded.search("ismael", { fuzzy: 0.2 }).map(({ title }) => title),
    suggested: index.autoSuggest("neuro").map(({ suggestion }) => suggestion),
  };
}
