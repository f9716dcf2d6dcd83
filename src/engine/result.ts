import type { CallEnd } from "../cell/call-end.ts";
import { cleanLine, cleanText } from "./clean.ts";
import { checkImages } from "./images.ts";
import type { Limits } from "./limits.ts";
import { failedOutcome, type CallIdentity, type Outcome, type Usage } from "./outcome.ts";
import { trimText } from "./trim.ts";

const SUMMARY_CHARS = 300;

/** The outcome of a call that returned: cleaned and trimmed for the model, whole for the owner. */
export function resultOutcome(
  identity: CallIdentity,
  { head, payload }: Extract<CallEnd, { readonly kind: "result" }>,
  resultLimit: number | null,
  limits: Limits,
  usage: Usage,
): Outcome {
  const images = checkImages(head.images, limits);
  if (typeof images === "string") return failedOutcome(identity, { code: "BAD_RESULT", message: images, started: true }, usage);
  const whole = cleanText(head.text);
  const { text, trimmed } = trimText(whole, resultLimit, head.left);
  return {
    ok: true,
    ...identity,
    text,
    summary: head.summary === null ? null : cleanLine(head.summary, SUMMARY_CHARS),
    // A text that was cut is kept whole where the tool itself kept no evidence.
    payload: trimmed !== null && payload === null ? whole : payload,
    images,
    effects: [],
    trimmed,
    error: null,
    usage,
  };
}
