/** Node's own command line, which a guest does not have. */
export function getOptionValue(): undefined {
  return undefined;
}
