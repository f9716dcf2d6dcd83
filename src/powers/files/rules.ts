import { FILES } from "../../catalogue/texts.ts";
import { denied } from "../power.ts";
import { outside } from "./errors.ts";
import { assertMayWrite, type Root } from "./root.ts";
import type { Stats } from "./system.ts";

/**
 * Names under which other programs look for code to run or for whom to trust: whoever may write them may do more than write.
 * Not written, moved, removed or made in `/workspace` and `/home`, wherever in a path they stand.
 */
const TRUSTED_NAMES: ReadonlySet<string> = new Set(
  [
    // Version control: hooks, filters and aliases are commands.
    ".git .gitconfig .gitmodules .hg .hgrc .svn .jj .husky .pre-commit-config.yaml .lefthook.yml",
    // Package managers: registries, tokens, code that runs on install. What is installed is code that runs.
    "node_modules .npmrc .yarnrc .yarnrc.yml .yarn .pnp.cjs .pnp.loader.mjs .pnpmfile.cjs .pnpmfile.mjs",
    ".bunfig.toml .cargo .venv .pypirc .pip .gem .bundle .m2 .gradle",
    // Read by a shell when it starts or enters a folder.
    ".profile .bashrc .bash_profile .bash_login .bash_logout .bash_aliases .zshrc .zshenv .zprofile .zlogin",
    ".zlogout .kshrc .cshrc .tcshrc .login .logout .inputrc .xinitrc .xprofile .xsession .envrc .direnv .mise.toml",
    ".tool-versions .autoenv",
    // Who may come in, and with what.
    ".ssh .gnupg .aws .azure .kube .docker .netrc .pgpass .config .local .pam_environment",
    // Read by an editor, a debugger or an interpreter when it opens a folder.
    ".vscode .idea .fleet .zed .devcontainer .devcontainer.json .vim .vimrc .nvimrc .exrc .nvim.lua .emacs .emacs.d",
    ".dir-locals.el .gdbinit .lldbinit .pythonrc.py .pythonstartup .irbrc .rprofile",
    // Read by agents: their instructions, hooks and servers.
    ".mcp.json .claude .claude.json .cursor .cursorrules .codex .gemini .toolcell",
    // Run by others for whoever pushes.
    ".github .gitlab-ci.yml .circleci .travis.yml .drone.yml .woodpecker.yml",
  ].flatMap((names) => names.split(" ")),
);

/** `.env`, `.env.local` and their like set what programs run with, NODE_OPTIONS and PATH included. */
const ENVIRONMENT = /^\.env(?:\.|$)/u;

/** What an engine, or Node itself, would take for code. */
const CODE = /(?:\.(?:[cm]?[jt]sx?|node|wasm)|^package\.json|^node_modules)$/u;

/** Whether something may be made, replaced, moved or removed here. Throws PowerError. */
export function assertMayChange(root: Root, names: readonly string[], there: Stats | null, isInCode: boolean): void {
  assertMayWrite(root);
  if (names.length === 0) throw denied(FILES.mountItself);
  if (isInCode) throw denied(FILES.codeFolder);
  if (root.mount === "tmp") return;
  assertNames(root, names);
  if (root.mount === "capability" && there !== null && root.made?.has(names, there) !== true) throw denied(FILES.shipped);
}

/** Whether a path to change may have these names in it, before it is known where it leads. */
export function assertNames(root: Root, names: readonly string[]): void {
  if (root.mount === "tmp") return;
  const folded = names.map(foldName);
  const trusted = folded.findIndex((name) => TRUSTED_NAMES.has(name) || ENVIRONMENT.test(name));
  if (trusted >= 0) throw denied(FILES.trustedName(names[trusted] ?? ""));
  if (root.mount === "capability" && folded.some((name) => CODE.test(name))) throw denied(FILES.codeName);
}

/** Whether a whole folder may be moved or removed: nothing guarded may stand in it. */
export function assertMayUproot(root: Root, names: readonly string[]): void {
  const real = [root.real === "/" ? "" : root.real, ...names].join("/");
  if (root.guarded.isHolding(real)) throw outside();
}

/** A second name of a file may stand outside the mount, so a file with one is left alone, unless it was made here. */
export function assertOneName(root: Root, names: readonly string[], stats: Stats): void {
  if (stats.nlink > 1n && root.made?.has(names, stats) !== true) throw denied(FILES.severalNames);
}

/**
 * A name as the most lenient file system reads it: case and form folded, what is ignored left out (HFS+), dots and spaces at
 * the end and a stream's name dropped (NTFS), and the short names that NTFS makes of the dotted ones.
 */
function foldName(name: string): string {
  const folded = name
    .replaceAll(/\p{Default_Ignorable_Code_Point}|\p{Cc}/gu, "")
    .normalize("NFKC")
    .toLowerCase();
  const [plain = ""] = folded.replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "").split(":");
  const trimmed = plain.replace(/[. ]+$/u, "");
  return /^git~\d+$/u.test(trimmed) ? ".git" : trimmed;
}
