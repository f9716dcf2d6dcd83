/** Node reads the failed assertion's own words from its source file; here there is no such file. */
export function getErrorSourceExpression(): undefined {
  return undefined;
}
