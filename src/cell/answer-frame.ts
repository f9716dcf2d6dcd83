import { TO_CELL, type AnswerBody } from "../bridge/messages.ts";
import { POWER } from "../catalogue/texts.ts";
import { largestToCell, type CellLimits } from "./limits.ts";

interface AnswerFrame {
  readonly type: number;
  readonly body: string | Buffer;
}

/** The message that carries an answer to a power request, or a refusal where the keeper would take no message that large. */
export function answerFrame(answer: AnswerBody, bytes: Buffer | null, limits: CellLimits): AnswerFrame {
  const frame = frameOf(answer, bytes);
  if (Buffer.byteLength(frame.body) <= largestToCell(limits)) return frame;
  return frameOf({ id: answer.id, ok: false, code: "POWER_LIMIT", message: POWER.answerBytes(limits.powerBytes) }, null);
}

// With bytes, one Latin-1 text whose first line is the answer.
function frameOf(answer: AnswerBody, bytes: Buffer | null): AnswerFrame {
  const head = JSON.stringify(answer);
  if (bytes === null) return { type: TO_CELL.ANSWER, body: head };
  // What is past ASCII is escaped, or it would not survive as Latin-1.
  const line = head.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return { type: TO_CELL.ANSWER_BYTES, body: Buffer.concat([Buffer.from(`${line}\n`, "latin1"), bytes]) };
}
