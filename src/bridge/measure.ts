/** How deep a JSON text nests and how many values it holds, told without parsing it: both cost whoever parses far more than bytes. */
export interface JsonMeasure {
  readonly depth: number;
  readonly values: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Every value but a parent's first follows a comma, every parent opens with a bracket. Stops early past either bound. */
export function measureJson(json: string, bounds: JsonMeasure): JsonMeasure {
  let depth = 0;
  let deepest = 0;
  let values = 1;
  for (let at = 0; at < json.length && deepest <= bounds.depth && values <= bounds.values; at += 1) {
    switch (json.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(json, at);
        break;
      case 0x5b: // [
      case 0x7b: // {
        depth += 1;
        values += 1;
        deepest = Math.max(deepest, depth);
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth -= 1;
        break;
      case 0x2c: // ,
        values += 1;
        break;
      default:
        break;
    }
  }
  return { depth: deepest, values };
}

function endOfString(json: string, start: number): number {
  for (let at = json.indexOf('"', start + 1); at >= 0; at = json.indexOf('"', at + 1)) {
    let escapes = 0;
    while (json.charCodeAt(at - 1 - escapes) === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return at;
  }
  return json.length;
}
