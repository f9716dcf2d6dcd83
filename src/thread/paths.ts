import path from "node:path";
import type { PathTranslation } from "../../runtime-api/guest/paths.ts";
import type { GuestConfig } from "../bridge/messages.ts";

interface Place {
  readonly folder: string;
  readonly mount: string;
}

/** Between the folders that a worker's context names and the mounts that the host's file power knows. */
export function createTranslation({ workspace, home, capability, temp }: GuestConfig["paths"]): PathTranslation {
  // A folder that stands in another comes before it.
  const places: readonly Place[] = [
    { folder: workspace, mount: "/workspace" },
    { folder: home, mount: "/home" },
    { folder: capability, mount: "/capability" },
    { folder: temp, mount: "/tmp" },
  ]
    .filter(({ folder }) => path.isAbsolute(folder) && path.parse(folder).root !== folder)
    .sort((left, right) => right.folder.length - left.folder.length);

  function toMount(given: string): string {
    if (!path.isAbsolute(given)) return given;
    const place = places.find(({ folder }) => isInside(folder, path.normalize(given)));
    if (place === undefined) return given;
    const rest = path.relative(place.folder, given).split(path.sep).join("/");
    return rest === "" ? place.mount : `${place.mount}/${rest}`;
  }

  function shown(text: string): string {
    let told = text;
    for (const { folder, mount } of places) if (told.includes(folder)) told = replaceFolder(told, folder, mount);
    return told;
  }

  return { toMount, shown };
}

function isInside(folder: string, given: string): boolean {
  return given === folder || given.startsWith(folder.endsWith(path.sep) ? folder : folder + path.sep);
}

// Only where the folder's name ends: `/data/work` is no part of `/data/workshop`.
function replaceFolder(text: string, folder: string, mount: string): string {
  let told = "";
  let from = 0;
  for (let at = text.indexOf(folder); at >= 0; at = text.indexOf(folder, from)) {
    const end = at + folder.length;
    const isWhole = !/[\p{L}\p{N}_-]/u.test(text.charAt(end));
    told += text.slice(from, at) + (isWhole ? mount : folder);
    from = end;
  }
  return told + text.slice(from);
}
