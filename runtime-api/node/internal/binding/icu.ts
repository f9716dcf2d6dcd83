export function getStringWidth(text: string): number {
  return text.length;
}
