import { NIL, parse, stringify, v4, v5, v7, validate, version } from "uuid";

export const NAME = "uuid";
export const DESCRIPTION = "The name-based id of RFC 9562, random and time-ordered ids, parsing and checking.";

export function run() {
  const ids = Array.from({ length: 50 }, () => v7());
  return {
    named: v5("www.example.com", v5.DNS),
    isRandom: validate(v4()) && version(v4()) === 4 && v4() !== v4(),
    isOrdered: ids.every((id, index) => version(id) === 7 && (index === 0 || id > (ids[index - 1] ?? ""))),
    isSame: stringify(parse(v5.URL)) === v5.URL,
    nil: NIL,
    isNone: validate("not-an-id"),
  };
}
