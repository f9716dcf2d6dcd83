import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FILES } from "../../catalogue/texts.ts";
import type { Access } from "../permissions.ts";
import { denied, PowerError, type Places, type PowerUse } from "../power.ts";
import type { Way } from "./entry.ts";
import { lookUpGuarded, NOTHING_GUARDED } from "./guarded.ts";
import { Made, type MadeLimits } from "./made.ts";
import type { MountName } from "./path.ts";
import { isInPlace, pinFolder, toRoot, type Pin, type Root } from "./root.ts";

/**
 * The folders behind the mounts:
 *
 * - `/workspace` is the engine's workspace, as far as `permissions.workspace` goes.
 * - `/home` is `files/` in the engine's home, as far as `permissions.home` goes: what the engine itself keeps there (secrets,
 *   grants, databases, logs, caches, other capabilities) is not under it, and a workspace that contains the home does not show it.
 * - `/capability` is the capability's own folder. It can read all of it and change only what it has made itself, and no code.
 * - `/tmp` is a folder of its own under the system's, made at first use and gone with the engine.
 */
export class Mounts {
  readonly #limits: MadeLimits;
  readonly #way: Way;
  readonly #codeFolders: () => readonly string[];
  readonly #pins = new Map<string, Promise<Pin | null>>();
  /** Pins that another took the place of. An operation may still go by one, so none is closed before the end. */
  readonly #replaced: Pin[] = [];
  readonly #temps = new Map<string, Promise<string>>();

  constructor(limits: MadeLimits, way: Way, codeFolders: () => readonly string[]) {
    this.#limits = limits;
    this.#way = way;
    this.#codeFolders = codeFolders;
  }

  /** The mount, as this call may use it. Throws PowerError where it may not, or where the folder is gone. */
  async open(mount: MountName, use: PowerUse): Promise<Root> {
    const access = accessTo(mount, use);
    if (access === "none") throw denied(FILES.notGranted(`/${mount}`, mount));
    const pin = await this.#pin(mount, use);
    const guarded = mount === "workspace" ? await this.#guarded(use) : NOTHING_GUARDED;
    return toRoot(pin, mount, access, guarded);
  }

  /** The real folders behind the mounts, for a runtime that may know them. */
  async folders(who: Owner): Promise<Places> {
    await this.#pin("tmp", who);
    const home = join(who.places.home, "files");
    await mkdir(home, { recursive: true, mode: 0o700 });
    return { ...who.places, home, temp: (await this.#temps.get(who.capability)) ?? who.places.temp };
  }

  /** Removes every `/tmp` and lets go of the folders. Nothing may be under way any more. */
  async close(): Promise<void> {
    // A folder that could not be found or made has nothing to let go of.
    const pins = await Promise.all([...this.#pins.values()].map((pinning) => pinning.catch(() => null)));
    for (const pin of [...pins, ...this.#replaced]) {
      await pin?.made?.saved();
      await pin?.folder[Symbol.asyncDispose]();
    }
    this.#pins.clear();
    for (const making of this.#temps.values()) {
      const temp = await making.catch(() => null);
      if (temp !== null) await rm(temp, { recursive: true, force: true, maxRetries: 2 });
    }
    this.#temps.clear();
  }

  async #pin(mount: MountName, use: Owner): Promise<Pin> {
    const key = mount === "workspace" || mount === "home" ? `${mount}\n${use.places[mount]}` : `${mount}\n${use.capability}`;
    let pinning = this.#pins.get(key);
    if (pinning === undefined) this.#pins.set(key, (pinning = this.#find(mount, use)));
    const pin = await pinning;
    if (pin !== null && (mount !== "capability" || pin.given === use.places.capability) && (await isInPlace(pin))) return pin;
    // A capability is replaced by its update, and a folder may come to be; a workspace that was another is not this one.
    if (pin === null) this.#forget(key, pinning);
    else if (mount === "capability" && this.#forget(key, pinning)) this.#replaced.push(pin);
    if (pin === null || mount !== "capability") throw new PowerError("ESTALE", FILES.gone(`/${mount}`));
    const next = await this.#again(key, mount, use);
    if (next === null) throw new PowerError("ESTALE", FILES.gone(`/${mount}`));
    return next;
  }

  #again(key: string, mount: MountName, use: Owner): Promise<Pin | null> {
    let pinning = this.#pins.get(key);
    if (pinning === undefined) this.#pins.set(key, (pinning = this.#find(mount, use)));
    return pinning;
  }

  #forget(key: string, pinning: Promise<Pin | null>): boolean {
    return this.#pins.get(key) === pinning && this.#pins.delete(key);
  }

  async #find(mount: MountName, { capability, places }: Owner): Promise<Pin | null> {
    switch (mount) {
      case "workspace":
        return await pinFolder(places.workspace, this.#way, null);
      case "home": {
        const folder = join(places.home, "files");
        await mkdir(folder, { recursive: true, mode: 0o700 }).catch(() => undefined);
        return await pinFolder(folder, this.#way, null);
      }
      case "capability": {
        const list = join(places.home, "data", capability, ".toolcell-files.json");
        return await pinFolder(places.capability, this.#way, await Made.load(this.#limits, list));
      }
      case "tmp": {
        const temp = mkdtemp(join(tmpdir(), "toolcell-"));
        this.#temps.set(capability, temp);
        return await pinFolder(await temp, this.#way, new Made(this.#limits, null));
      }
    }
  }

  async #guarded({ places }: PowerUse) {
    const temps = (await Promise.all([...this.#temps.values()].map((making) => making.catch(() => "")))).filter((temp) => temp !== "");
    return await lookUpGuarded([places.home, ...temps], [places.capability, ...this.#codeFolders()]);
  }
}

/** Whose mounts they are. */
type Owner = Pick<PowerUse, "capability" | "places">;

function accessTo(mount: MountName, { permissions }: PowerUse): Access {
  switch (mount) {
    case "workspace":
      return permissions.workspace;
    case "home":
      return permissions.home;
    case "capability":
    case "tmp":
      return "write";
  }
}
