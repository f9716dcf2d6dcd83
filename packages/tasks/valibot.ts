import * as v from "valibot";

export const NAME = "valibot";
export const DESCRIPTION = "A pipe that trims and checks, a variant, and the faults flattened by path.";

const Shape = v.variant("kind", [
  v.object({ kind: v.literal("circle"), radius: v.pipe(v.number(), v.minValue(0)) }),
  v.object({ kind: v.literal("label"), text: v.pipe(v.string(), v.trim(), v.nonEmpty("Say something")) }),
]);

export function run() {
  const bad = v.safeParse(v.array(Shape), [
    { kind: "label", text: "  " },
    { kind: "circle", radius: -1 },
  ]);
  return {
    good: v.parse(Shape, { kind: "label", text: " tea " }),
    paths: bad.issues?.map((issue) => v.getDotPath(issue)),
    first: bad.issues?.[0].message,
    piped: v.parse(
      v.pipe(
        v.string(),
        v.isoDate(),
        v.transform((text) => Number(text.slice(0, 4))),
      ),
      "2026-05-01",
    ),
  };
}
