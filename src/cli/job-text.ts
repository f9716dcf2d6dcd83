import { CLI } from "../catalogue/texts.ts";
import type { JobEntry } from "../engine/job-entry.ts";
import { cleanLine } from "../engine/clean.ts";
import { EXIT } from "./exit.ts";

const LINE_CHARS = 200;

/** One line about a job. */
export function jobLine(job: JobEntry): string {
  const { id, state, tool, submittedAt } = job;
  return [id, state.padEnd(9), submittedAt.slice(0, 19).replace("T", " "), tool, remarkOf(job)].filter(Boolean).join("  ");
}

/** What came of a job that has ended, as `call` tells it; the exit code that `call` would have. */
export function reportEnd(job: JobEntry, isJson: boolean): number {
  const { outcome, state } = job;
  const text = outcome?.text ?? "";
  if (isJson) process.stdout.write(`${JSON.stringify(job, null, 2)}\n`);
  else if (state === "done") process.stdout.write(text.endsWith("\n") ? text : `${text}\n`);
  else process.stderr.write(`${text}\n`);
  return state === "done" ? EXIT.ok : EXIT.failed;
}

function remarkOf({ state, progress, outcome }: JobEntry): string {
  if (outcome !== null) return cleanLine(outcome.error === null ? (outcome.summary ?? "") : outcome.error.message, LINE_CHARS);
  if (state !== "running" || progress === null) return "";
  return CLI.jobProgress(progress.fraction === null ? null : Math.round(progress.fraction * 100), progress.detail);
}
