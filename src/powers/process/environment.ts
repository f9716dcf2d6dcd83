import { delimiter } from "node:path";

/** What a guest may set. None of these makes a program load or run anything. */
export const GUEST_VARIABLES: readonly string[] = [
  "LANG",
  "LC_ALL",
  "TZ",
  "NO_COLOR",
  "GIT_AUTHOR_NAME",
  "GIT_AUTHOR_EMAIL",
  "GIT_AUTHOR_DATE",
  "GIT_COMMITTER_NAME",
  "GIT_COMMITTER_EMAIL",
  "GIT_COMMITTER_DATE",
];

/** Marks every process of one run, so that those that leave its group are found again. */
export const RUN_VARIABLE = "TOOLCELL_RUN";

const SYSTEM_FOLDERS = ["/usr/local/bin", "/usr/bin", "/bin"];

/** The whole environment of a program: nothing of the host's own comes along. */
export function environmentFor(
  programFolder: string,
  home: string,
  run: string,
  given: ReadonlyMap<string, string>,
): Record<string, string> {
  const { SystemRoot } = process.env;
  const folders =
    process.platform === "win32" ? [programFolder, `${SystemRoot ?? "C:\\Windows"}\\System32`] : [programFolder, ...SYSTEM_FOLDERS];
  return {
    LANG: "C.UTF-8",
    PATH: [...new Set(folders)].join(delimiter),
    HOME: home,
    TMPDIR: home,
    ...(SystemRoot === undefined ? {} : { SystemRoot, USERPROFILE: home, TEMP: home, TMP: home }),
    ...GIT,
    ...Object.fromEntries(given),
    [RUN_VARIABLE]: run,
  };
}

// A repository's own configuration may name programs: those that git would start by itself are switched off, and no
// question waits for an answer. Arguments can name others: whoever grants git grants what git can do.
const GIT_CONFIG = [
  ["core.hooksPath", "/dev/null"],
  ["core.fsmonitor", "false"],
  ["core.pager", "cat"],
  ["core.editor", "false"],
  ["credential.helper", ""],
  ["protocol.ext.allow", "never"],
] as const;

const GIT: Record<string, string> = {
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: process.platform === "win32" ? "NUL" : "/dev/null",
  GIT_TERMINAL_PROMPT: "0",
  GIT_ASKPASS: "false",
  SSH_ASKPASS: "false",
  GIT_PAGER: "cat",
  PAGER: "cat",
  GIT_CONFIG_COUNT: String(GIT_CONFIG.length),
  ...Object.fromEntries(
    GIT_CONFIG.flatMap(([key, value], at) => [
      [`GIT_CONFIG_KEY_${at}`, key],
      [`GIT_CONFIG_VALUE_${at}`, value],
    ]),
  ),
};
