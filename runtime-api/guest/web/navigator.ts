import { WEB } from "../../../src/catalogue/texts.ts";
import { GuestTypeError } from "../intrinsics.ts";
import { installAttribute, installInterface } from "./interface.ts";

let isInside = false;
let version = "0";

/** Says which engine it is that `navigator.userAgent` names. */
export function setEngineVersion(given: string): void {
  version = given;
}

/** The part of Navigator (HTML Standard, 8.9) that every runtime has. */
class Navigator {
  readonly #product = "toolcell";

  constructor() {
    if (!isInside) throw new GuestTypeError(WEB.illegal);
  }

  get userAgent(): string {
    return `${this.#product}/${version}`;
  }
}

export function installNavigator(target: object): void {
  let navigator: Navigator | null = null;
  installInterface(target, "Navigator", Navigator);
  installAttribute(target, "navigator", () => {
    isInside = true;
    try {
      navigator ??= new Navigator();
      return navigator;
    } finally {
      isInside = false;
    }
  });
}
