import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { constants, Script } from "node:vm";
import type { Bundled } from "../../runtime-api/guest/runtime.ts";
import { ToolConfigError } from "../../runtime-api/tool-config-error.ts";
import { ToolError } from "../../runtime-api/tool-error.ts";
import type { CredentialOptions } from "../../runtime-api/types.ts";
import { GUEST } from "../catalogue/texts.ts";

/** Where a source file of a bundle stands, for what it asks of itself. */
interface Place {
  readonly url: string;
  readonly filename: string;
  readonly dirname: string;
  /** What a specifier that is computed means from here: a file of the folder for one that is relative, else itself. */
  pathOf(specifier: unknown): unknown;
  urlOf(specifier: unknown): unknown;
}

/** What a worker's bundle is handed beside a `require` that starts in the capability's folder. */
interface Toolcell {
  readonly ToolError: typeof ToolError;
  readonly ToolConfigError: typeof ToolConfigError;
  readonly getCredential: GetCredential;
  /** The place of a source file, named relative to the capability's folder with "/". */
  at(file: string): Place;
  /** Loads a native addon, if it is still the one that was read. */
  addon(file: string, sha256: string): unknown;
}

type GetCredential = (options: CredentialOptions) => Promise<string>;
type Evaluate = (toolcell: Toolcell, require: NodeJS.Require) => Bundled;

// Stack traces name it; a relative `import()` of what is not in the bundle starts beside it.
const BUNDLE_NAME = "bundle.js";

/** Runs a bundle in the thread's own realm and returns its tools. Each tool's module runs when it is first asked for. */
export function evaluateBundle(text: string, folder: string, getCredential: GetCredential): Bundled {
  const filename = path.join(folder, BUNDLE_NAME);
  const script = new Script(text, { filename, importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER });
  let evaluate: Evaluate | null = null;
  const realm = globalThis as { __toolcell_load?: (given: Evaluate) => void };
  realm.__toolcell_load = (given) => {
    evaluate = given;
  };
  try {
    script.runInThisContext();
  } finally {
    delete realm.__toolcell_load;
  }
  if (evaluate === null) throw new Error(GUEST.noBundle);
  const require = createRequire(filename);
  const toolcell: Toolcell = {
    ToolError,
    ToolConfigError,
    getCredential,
    at: (file) => toPlace(path.join(folder, file)),
    addon(file, sha256) {
      const addonFile = path.join(folder, file);
      if (createHash("sha256").update(readFileSync(addonFile)).digest("hex") !== sha256) throw new Error(GUEST.addonChanged(file));
      return require(addonFile);
    },
  };
  return (evaluate as Evaluate)(Object.freeze(toolcell), require);
}

function toPlace(filename: string): Place {
  const { href } = pathToFileURL(filename);
  const dirname = path.dirname(filename);
  const isRelative = (specifier: unknown): specifier is string => typeof specifier === "string" && /^\.{1,2}\//u.test(specifier);
  return {
    url: href,
    filename,
    dirname,
    pathOf: (specifier) => (isRelative(specifier) ? path.join(dirname, specifier) : specifier),
    urlOf: (specifier) => (isRelative(specifier) ? new URL(specifier, href).href : specifier),
  };
}
