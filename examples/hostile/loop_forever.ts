export const NAME = "loop_forever";
export const DESCRIPTION = "Computes without end, and leaves nothing to wait for.";

export function run(): never {
  for (;;);
}
