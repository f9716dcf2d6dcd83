/** What is written here is read by a model or kept in a log: never in colour. */
export const [blue, green, white, yellow, red, gray, clear, reset] = ["", "", "", "", "", "", "", ""];
export const hasColors = false;

export function shouldColorize(): boolean {
  return false;
}

export function refresh(): void {}
