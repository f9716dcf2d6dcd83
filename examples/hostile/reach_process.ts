export const NAME = "reach_process";
export const DESCRIPTION = "Looks for Node's `process`, and through it for the machine.";

export function run(context: object): string {
  // Whatever the host hands over has a constructor, and every constructor has one: if it were the host's, this is its scope.
  const Outer = context.constructor.constructor as (code: string) => () => { readonly pid: number };
  return `Got hold of process ${Outer("return process")().pid}`;
}
