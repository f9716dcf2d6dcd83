import { extname } from "node:path";
import { findProgram } from "./find-program.ts";
import { sharedLibraries } from "./shared-libraries.ts";

/** A program of the system around a keeper's Node. */
export type Wrapper =
  | { readonly kind: "bubblewrap"; readonly file: string; readonly libraries: readonly string[] }
  | { readonly kind: "unshare"; readonly file: string };

/** The files that a keeper is made of, under the names that it sees them by. */
export interface KeeperFiles {
  readonly node: string;
  readonly keeper: string;
  readonly runtime: string;
  readonly addon: string;
}

/** What this machine could put around a keeper, the strongest first. Whether each works shows when it is tried. */
export async function findWrappers(node: string, addonFile: string): Promise<readonly Wrapper[]> {
  if (process.platform !== "linux") return [];
  const [bubblewrap, unshare] = [findProgram("bwrap"), findProgram("unshare")];
  const libraries = bubblewrap === null ? [] : await sharedLibraries(node, addonFile);
  return [
    ...(bubblewrap === null || libraries.length === 0 ? [] : [{ kind: "bubblewrap", file: bubblewrap, libraries } as const]),
    ...(unshare === null ? [] : [{ kind: "unshare", file: unshare } as const]),
  ];
}

/** The names by which a keeper sees its files: in bubblewrap they say nothing of the machine. */
export function filesInside(wrapper: Wrapper | null, outside: KeeperFiles): KeeperFiles {
  return wrapper?.kind === "bubblewrap" ? inBubblewrap(outside) : outside;
}

/** The command that runs `command` inside. */
export function wrapped(wrapper: Wrapper | null, outside: KeeperFiles, command: readonly string[]): readonly string[] {
  switch (wrapper?.kind) {
    case "bubblewrap":
      return [wrapper.file, ...bubblewrapFlags(wrapper.libraries, outside), "--", ...command];
    case "unshare":
      return [wrapper.file, ...UNSHARE_FLAGS, "--", ...command];
    case undefined:
      return command;
  }
}

/** Whether a process's last words say that its wrapper could not be put up, and never ran Node. */
export function wrapperFault(wrapper: Wrapper | null, stderr: string): string | null {
  if (wrapper === null) return null;
  const name = wrapper.kind === "bubblewrap" ? "bwrap" : "unshare";
  return stderr.split("\n").find((line) => line.startsWith(`${name}: `)) ?? null;
}

function inBubblewrap({ keeper }: KeeperFiles): KeeperFiles {
  // Its ending tells Node how to read it.
  return { node: "/cell/node", keeper: `/cell/keeper${extname(keeper)}`, runtime: "/cell/guest.bin", addon: "/cell/addon.node" };
}

const NAMESPACES = ["--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"] as const;
const RIGHTS = ["--uid", "65534", "--gid", "65534", "--hostname", "cell", "--cap-drop", "ALL"] as const;
const LIFE = ["--die-with-parent", "--new-session"] as const;

// A user of no rights in namespaces of its own (a user's, and so no right outside; processes, network, IPC, names), and a
// root that holds twelve files or so, none of them writable: no /proc, no /dev, no /tmp, no shell.
function bubblewrapFlags(libraries: readonly string[], outside: KeeperFiles): string[] {
  const inside = inBubblewrap(outside);
  const files = (["node", "keeper", "runtime", "addon"] as const).map((file) => [outside[file], inside[file]] as const);
  const binds = [...libraries.map((file) => [file, file] as const), ...files];
  return [
    ...NAMESPACES,
    ...RIGHTS,
    ...LIFE,
    ...binds.flatMap(([from, to]) => ["--ro-bind", from, to]),
    "--remount-ro",
    "/",
    "--chdir",
    "/",
  ];
}

// The process stays the one that was started, and loses the network; nothing else of a wall comes so cheaply.
const UNSHARE_FLAGS = ["--user", "--map-current-user", "--net", "--ipc", "--uts"] as const;
