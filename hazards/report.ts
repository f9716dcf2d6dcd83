import { arch, cpus, release, totalmem, type } from "node:os";
import { DEADLINE_MS, DRIVERS, MEMORY_BYTES, type DriverName } from "./driver.ts";
import { GROUPS } from "./groups.ts";
import { DELAY_MS, GROWTH_BYTES, WATCHDOG, type Verdict } from "./judge.ts";

const MiB = 1024 * 1024;
const TITLES: Readonly<Record<DriverName, string>> = {
  cell: "toolcell",
  worker: "worker thread",
  "isolated-vm": "isolated-vm in the host",
  "node:vm": "node:vm",
};

/** docs/containment.md, whole. */
export function containmentPage(
  verdicts: readonly Verdict[],
  versions: Readonly<Record<string, string>>,
  walls: readonly string[],
): string {
  return `${[
    "# What is contained",
    "",
    "Written by `npm run hazards`. Do not edit.",
    "",
    ...method(versions, walls),
    "",
    "## In sum",
    "",
    ...totals(verdicts),
    "",
    ...GROUPS.flatMap(({ title, cases }) => [
      `## ${title}`,
      "",
      ...table(
        cases.map(({ name }) => name),
        verdicts,
      ),
      "",
    ]),
    ...REST,
  ].join("\n")}\n`;
}

function method(versions: Readonly<Record<string, string>>, walls: readonly string[]): string[] {
  const machine = `${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB, ${type()} ${release().split(".", 2).join(".")} ${arch()}`;
  return [
    `Machine: ${machine}. ${Object.entries(versions)
      .map(([name, version]) => `${name} ${version}`)
      .join(", ")}.`,
    `Walls that stood: ${walls.join(", ")}.`,
    "",
    `Each case is the body of a tool, run once in a fresh host process by each of four drivers: toolcell through \`createEngine\`; a`,
    "worker thread with resource limits, an empty environment and `terminate()`; isolated-vm in the host's own process, with its",
    "time-out, a copied result and `dispose()`, as libraries that run a model's code use it; `node:vm` with its time-out. Each gets",
    `${MEMORY_BYTES / MiB} MB and ${DEADLINE_MS} ms, and is then told to stop by whatever means it has. Contained means all of these:`,
    "",
    `- the call ends, by itself or by the driver, within ${(DEADLINE_MS + 1500) / 1000} s; in toolcell also with an outcome that is right for the case`,
    "  (the deadline is right for any, since a slow machine may come to it first; the tests hold each case to its own ends)",
    `- a timer beside it is not kept waiting for more than ${DELAY_MS} ms (two slow looks are forgiven: the machine does other things too)`,
    "  A run whose only fault is such a delay is tried once more alone, whichever driver it is.",
    `- the host process grows by no more than ${GROWTH_BYTES / MiB} MB: the ${MEMORY_BYTES / MiB} MB that the guest may have, where they are the host's, and 100 MB`,
    "- nothing of the host's was read or changed: a file, a variable of its environment, a path, an object's prototype",
    "- afterwards the driver closes and the host process exits by itself",
    "",
    `A host that takes ${WATCHDOG.bytes / 2 ** 30} GB with all that it started, or is not gone after ${WATCHDOG.ms / 1000} s, is killed: not contained.`,
    "None of the other three drivers claims to be a boundary for all of this; the table says what each leaves to whoever uses it.",
  ];
}

function totals(verdicts: readonly Verdict[]): string[] {
  const rows = DRIVERS.map((driver) => {
    const own = verdicts.filter((verdict) => verdict.driver === driver);
    return `| ${TITLES[driver]} | ${own.filter(({ isContained }) => isContained).length} of ${own.length} |`;
  });
  return ["| driver | contained |", "|---|---|", ...rows];
}

function table(names: readonly string[], verdicts: readonly Verdict[]): string[] {
  const cell = (name: string, driver: DriverName): string => {
    const verdict = verdicts.find((each) => each.hazard === name && each.driver === driver);
    if (verdict === undefined) return "not tried";
    return verdict.isContained ? "contained" : `**no**: ${verdict.why.replaceAll("|", "\\|").replaceAll("\n", " ").slice(0, 160)}`;
  };
  return [
    `| case | ${DRIVERS.map((driver) => TITLES[driver]).join(" | ")} |`,
    `|---|${DRIVERS.map(() => "---|").join("")}`,
    ...names.map((name) => `| \`${name}\` | ${DRIVERS.map((driver) => cell(name, driver)).join(" | ")} |`),
  ];
}

const WORKER = [
  "## What a shared process does not contain",
  "",
  "Capabilities of a folder that `shareProcess` names stand several to a process, each in an isolate and on pipes of its own. Grants, limits",
  "and powers stay each one's own: the host knows who speaks by the pipe. What is said above of a capability and its neighbours",
  "holds for a process and its neighbours, and inside of one this is given up:",
  "",
  "- **Memory is common.** A flaw in V8, in isolated-vm or in what the keeper computes with reaches the code, the data and the secrets' stand-ins",
  "  of every capability in the process, and can be read from there by side channels that a process would stop.",
  "- **So are the pipes.** Whoever runs code in the process can speak as any of its capabilities, use what each was granted, and answer its",
  "  calls. It can also have another one blamed: after a breach of the bridge's rules each of the process stands alone for a while.",
  "- **What ends the process ends all that had begun in it**: an abort of V8's (a `Map` past the isolate's limit is enough), a built-in that nothing",
  "  interrupts, memory past the bound. Calls that had begun end as `CELL_CRASHED`, those that had not run again on the next cell. What",
  "  V8 can stop (a loop, a deadline, a full heap where V8 throws) ends one isolate, and its neighbours keep what they hold.",
  "- **Whose doing it was is not always known.** A turn that had run for some 10 ms is; of several short ones none is blamed. Who did it for certain",
  "  has a process of its own until its code changes, who may have done it for `crashWindowMs`. A crash counts towards `QUARANTINED` for the certain alone.",
  "- **The memory bound is the sum**: `residentBytes` and twice the `memoryBytes` of each. One may take what the others leave, outside its",
  "  isolate's heap. `dataBytes` is multiplied in the same way.",
  "- **isolated-vm's time-outs** of a process fail while one isolate in it is stuck; until that process is ended, at the latest `cpuMs` + 2 × `graceMs`",
  "  on, the host's deadlines alone stop the others.",
  "- **The keeper's thread is common.** Turns run beside each other on threads of their own. What the keeper computes for one (hashes,",
  "  compression, key derivation), and an isolate that is made, hold the others' messages up for as long as one such step takes.",
  "",
  "## What a worker does not contain",
  "",
  'A capability whose index says `RUNTIME = "worker"` runs in a thread of the host\'s own process, with all of Node, and only after',
  "its owner has trusted it by name and by the hash of its code (`toolcell trust`). Nothing above is said of such a capability. Its",
  "calls have the same deadlines, limits and outcomes, so that an honest one that fails does so in the same way; one that means harm",
  "has the owner's account.",
  "",
  "- **Nothing is sealed**: it reads and writes every file that the host can, reaches every address, starts programs, sees a copy of the",
  "  host's environment and every secret in it. Grants bound what it does through its context, and not what it does by itself;",
  "  what it does by itself is in no outcome's `effects`. A stand-in of `context.secrets` is replaced by the host's network alone: Node's own",
  "  `fetch` sends it as it is.",
  "- **The process is the host's**: `process.kill(process.pid)`, a native addon that crashes, or a flag of V8's that is set at run time",
  "  meets the host as well. It can write to the host's file descriptors by their numbers.",
  "- **Memory**: the heap is looked at every 50 ms, and a thread is ended whose heap holds twice `memoryBytes` (V8 leaves garbage lie",
  "  up to then), or more than `residentBytes` + 2 × `memoryBytes` with its buffers. V8 cannot throw everywhere: one operation",
  "  that needs gigabytes (`Array(1e9).fill`, a `JSON.parse` of 90 MB, a `Map` of 17 million entries) aborts the host before anyone looks.",
  "  Memory that neither V8 nor its buffers know of, such as an addon's, is not seen.",
  "- **A turn without end** is ended after `cpuMs` without rest, waiting for a synchronous call counted with it. A thread in native code that",
  "  does not come back (opening a pipe that nobody writes to, an addon's loop) cannot be ended: its call ends, the engine closes",
  "  after 5 s, the log says so, and the host's process cannot exit until the code returns.",
  "- **What it started** outlives its thread: child processes go on unless its `unload` ends them, and `unload` runs before a planned",
  "  end alone. Timers, servers, sockets and files that are open end with the thread.",
  "- **Code that is loaded by a computed name** (`require(name)`, `import(name)`) is Node's to find, also outside the folder. The hash that the",
  "  owner trusts does not cover it. A native addon that is imported by its name is covered, and held to when it is loaded.",
  "- **What it says** of CPU time is what its thread has computed while the call ran, calls beside it included.",
];

const REST = [
  "## Gaps",
  "",
  "What is not contained, or only in part. `toolcell doctor` says which of the first apply to a machine.",
  "",
  "- **A flaw in V8 that lets a guest run code in its cell's process** meets Node's permission model (which Node itself calls no",
  "  boundary against malicious code) and, where bubblewrap stands, namespaces with nothing in them. Without bubblewrap such code",
  "  can send signals to other processes of the same user and connect to Unix sockets; on Node 24 without `unshare` also open",
  "  network connections. A policy can require `bubblewrap`, or `no-network`.",
  "- **A flaw in the kernel** is met by nothing of ours: no filter on system calls is set.",
  "- **Side channels** (caches, timing) are made harder by clocks of a millisecond and no shared memory, and are not closed.",
  "- **Memory between two looks**: a cell is looked at every 50 ms and can grow by about 75 MB in between. In hardened mode the system",
  "  itself refuses it. Elsewhere than on Linux the host cannot look, and each cell's keeper looks after itself.",
  "- **Processor time** is bounded for a turn and for a call, not shared out: a guest may take a core until then.",
  "- **A host that is killed within the milliseconds in which bubblewrap starts** may leave an empty `bwrap` process waiting. It holds",
  "  no tool's code. A host that closes, or is killed at any other time, leaves nothing.",
  "- **What a tool says** reaches the model. It is cleaned of control characters, trimmed and labelled, and it can still be a lie, imitate",
  "  a role or a result, or hold a picture's address that carries something out when it is shown. Who shows it decides what is fetched.",
  "- **Many small results** of one turn of a model are each within their limit; their sum is the embedder's to bound.",
  "- **A capability that crashes at every call** is started anew for each: there is no pause between its crashes yet.",
  "- **Systems on musl** get no bubblewrap: the list of libraries that a cell needs is read as glibc's loader gives it.",
  "- **Calls of one capability share its cell**, and so its module's state, until the cell is stopped.",
  "",
  ...WORKER,
  "",
  "## Hazards that cannot apply here",
  "",
  "| hazard | why not |",
  "|---|---|",
  "| a guest waits inside a host function for a promise of the host | no function that a guest can call waits for anything |",
  "| one stuck isolate switches off the time-outs of the others in its process | no process holds two, unless [its owner says so](#what-a-shared-process-does-not-contain) |",
  "| the addon's synchronous calls, start-up snapshots of a guest's code, its handler for catastrophic errors | none is used: each hangs, crashes or parks a thread |",
  "| messages of Node's own IPC that throw in the parent, or pass handles | a cell has no such channel, only frames of a known largest size on pipes |",
  "| a worker thread that cannot be terminated | a stranger's code runs in none before its owner trusts it |",
  "| an import hidden from a source rewriter by comments, escapes or HTML comments | no defence here rewrites source |",
  "| WebAssembly that catches a host's exception by its tag | no frame of the host lies under a guest's |",
  "| a V8 code cache or snapshot in a package | never read |",
  "| one result shared with the host while it is checked | only text crosses |",
  "| a host that turns a guest's huge number or deep object to text | the guest's own runtime does, inside its limits |",
  "| progress that keeps a call alive for ever | progress moves no deadline: `timeoutMs` is the total |",
  "| a tool that calls a tool that calls it | a tool cannot call tools |",
  "| a guest that changes its arguments and calls them validated | nothing of a call's arguments is read back from a guest |",
  "| a result that breaks its own schema | there is no schema of results |",
  "| stored values as a channel between sessions | there are no sessions: what a capability keeps is one, and is said to be |",
  "",
  "Tried elsewhere, since no guest can do them: keepers that break the bridge's rules (`test/cell/hostile-keeper.test.ts`), hosts that",
  "die and engines that close with calls under way (`test/hazards/orphans.test.ts`), growth over many calls and restarts",
  "(`test/hazards/endurance.test.ts`), the walls themselves (`test/walls/`), each power's own hazards (`test/powers/`), packages that",
  "are refused before they run (`test/admission/`).",
];
