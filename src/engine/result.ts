import type { CallEnd } from "../cell/call-end.ts";
import type { Json } from "../catalogue/json.ts";
import type { Mask } from "./call-powers.ts";
import { cleanLine, cleanText } from "./clean.ts";
import { checkImages } from "./images.ts";
import type { Limits } from "./limits.ts";
import { failedOutcome, type CallIdentity, type Done, type Outcome, type Usage } from "./outcome.ts";
import { trimText } from "./trim.ts";

const SUMMARY_CHARS = 300;

/** The outcome of a call that returned: cleaned and trimmed for the model, whole for the owner. */
export function resultOutcome(
  identity: CallIdentity,
  { head, payload }: Extract<CallEnd, { readonly kind: "result" }>,
  resultLimit: number | null,
  limits: Limits,
  usage: Usage,
  done: Done,
  mask: Mask,
): Outcome {
  const images = checkImages(head.images, limits);
  if (typeof images === "string") return failedOutcome(identity, { code: "BAD_RESULT", message: images, started: true }, usage, done);
  // What is cleaned away may stand inside a secret: it is taken out after, and before anything is cut.
  const whole = mask.text(cleanText(head.text));
  const evidence = mask.json(payload as Json);
  const { text, trimmed } = trimText(whole, resultLimit, head.left);
  return {
    ok: true,
    ...identity,
    text,
    summary: head.summary === null ? null : mask.text(cleanLine(head.summary, SUMMARY_CHARS)),
    // A text that was cut is kept whole where the tool itself kept no evidence.
    payload: trimmed !== null && evidence === null ? whole : evidence,
    images,
    effects: done.effects,
    trimmed,
    error: null,
    usage,
  };
}
