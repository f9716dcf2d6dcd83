import { z } from "zod";

export const NAME = "zod";
export const DESCRIPTION = "A nested schema that transforms, the faults of bad data, a union, and the schema as JSON Schema.";

const Person = z.object({
  name: z.string().trim().min(1),
  email: z.email(),
  age: z.coerce.number().int().min(0).default(18),
  pets: z.array(
    z.discriminatedUnion("kind", [z.object({ kind: z.literal("cat"), lives: z.number() }), z.object({ kind: z.literal("dog") })]),
  ),
});

export function run() {
  const good = Person.parse({ name: " Mia ", email: "mia@example.com", age: "41", pets: [{ kind: "cat", lives: 9 }, { kind: "dog" }] });
  const bad = Person.safeParse({ name: "", email: "no", pets: [{ kind: "cow" }] });
  const { required, type } = z.toJSONSchema(z.object({ a: z.string(), b: z.number().optional() }));
  return { good, paths: bad.error?.issues.map(({ path }) => path.join(".")), schema: { required, type } };
}
