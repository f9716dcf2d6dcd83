const UUID = /^[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}$/;

export function isUuid(text: string): boolean {
  return UUID.test(text);
}
