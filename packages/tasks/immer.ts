import { applyPatches, enableMapSet, enablePatches, produce, produceWithPatches } from "immer";

export const NAME = "immer";
export const DESCRIPTION = "A change of a copy that leaves the rest shared and frozen, patches there and back, a Map.";

export function run() {
  enablePatches();
  enableMapSet();
  const base = { todo: [{ text: "tea", done: false }], other: { kept: true } };
  const [next, patches, inverse] = produceWithPatches(base, (draft) => {
    draft.todo[0].done = true;
    draft.todo.push({ text: "jam", done: false });
  });
  const map = produce(new Map([["a", 1]]), (draft) => void draft.set("b", 2));
  return {
    base: base.todo.length,
    next: next.todo,
    isShared: next.other === base.other && Object.isFrozen(next.todo),
    isSame: JSON.stringify(applyPatches(base, patches)) === JSON.stringify(next),
    back: applyPatches(next, inverse),
    map: [...map],
  };
}
