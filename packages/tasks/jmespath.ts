import jmespath from "jmespath";

export const NAME = "jmespath";
export const DESCRIPTION = "A filter, a projection, a sort and an aggregate over people.";

const PEOPLE = [
  { name: "Mia", age: 41, tags: ["a", "b"] },
  { name: "Ben", age: 19, tags: ["b"] },
  { name: "Ada", age: 36, tags: [] },
];

export function run() {
  return {
    names: jmespath.search({ people: PEOPLE }, "people[?age > `30`].name | sort(@)"),
    oldest: jmespath.search({ people: PEOPLE }, "max_by(people, &age).name"),
    tags: jmespath.search({ people: PEOPLE }, "people[].tags[]"),
  };
}
