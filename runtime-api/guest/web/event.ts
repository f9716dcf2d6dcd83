import { toText } from "../intrinsics.ts";
import type { EventTarget } from "./event-target.ts";
import { assertArguments, defineConstants, installInterface, toDictionary } from "./interface.ts";
import { elapsed } from "./clock.ts";

const { defineProperty, getOwnPropertyDescriptor } = Reflect;
const CONSTANTS = { NONE: 0, CAPTURING_PHASE: 1, AT_TARGET: 2, BUBBLING_PHASE: 3 } as const;

/** Begins and ends a dispatch, and says what the listeners have asked for. */
export let openDispatch: (event: Event, target: EventTarget) => void;
export let closeDispatch: (event: Event) => void;
/** Whether listeners of a further phase are still to be called, and whether any is. */
export let isStopped: (event: Event) => boolean;
export let isStoppedAtOnce: (event: Event) => boolean;
export let isPrevented: (event: Event) => boolean;
export let setPassive: (event: Event, passive: boolean) => void;
export let isEvent: (value: unknown) => value is Event;
/** Marks who fires it: the platform itself, or a package. */
export let trust: (event: Event, isTrusted: boolean) => Event;

// Each event has it for its own, so that nobody feigns it (`[LegacyUnforgeable]`).
let trustedDescriptor: PropertyDescriptor;

/** Event (DOM Standard, 2.2) where there is no tree: an event has one target, and its path is that target. */
export class Event {
  #type: string;
  #bubbles: boolean;
  #cancelable: boolean;
  readonly #composed: boolean;
  declare readonly isTrusted: boolean;
  readonly #timeStamp = elapsed();
  #isTrusted = false;
  #target: EventTarget | null = null;
  #isDispatching = false;
  #isPrevented = false;
  #isStopped = false;
  #isStoppedAtOnce = false;
  #isPassive = false;

  constructor(type: unknown, init: unknown = undefined) {
    assertArguments(arguments.length, 1, "Event");
    const { bubbles, cancelable, composed } = toDictionary(init, "EventInit");
    this.#type = toText(type);
    this.#bubbles = Boolean(bubbles);
    this.#cancelable = Boolean(cancelable);
    this.#composed = Boolean(composed);
    defineProperty(this, "isTrusted", trustedDescriptor);
  }

  get type(): string {
    return this.#type;
  }

  get target(): EventTarget | null {
    return this.#target;
  }

  get srcElement(): EventTarget | null {
    return this.#target;
  }

  get currentTarget(): EventTarget | null {
    return this.#isDispatching ? this.#target : null;
  }

  composedPath(): EventTarget[] {
    const target = this.currentTarget;
    return target === null ? [] : [target];
  }

  get eventPhase(): number {
    return this.#isDispatching ? CONSTANTS.AT_TARGET : CONSTANTS.NONE;
  }

  stopPropagation(): void {
    this.#isStopped = true;
  }

  get cancelBubble(): boolean {
    return this.#isStopped;
  }

  set cancelBubble(value: unknown) {
    if (value) this.#isStopped = true;
  }

  stopImmediatePropagation(): void {
    this.#isStopped = true;
    this.#isStoppedAtOnce = true;
  }

  get bubbles(): boolean {
    return this.#bubbles;
  }

  get cancelable(): boolean {
    return this.#cancelable;
  }

  get returnValue(): boolean {
    return !this.#isPrevented;
  }

  set returnValue(value: unknown) {
    if (!value) this.preventDefault();
  }

  preventDefault(): void {
    if (this.#cancelable && !this.#isPassive) this.#isPrevented = true;
  }

  get defaultPrevented(): boolean {
    return this.#isPrevented;
  }

  get composed(): boolean {
    return this.#composed;
  }

  get timeStamp(): number {
    return this.#timeStamp;
  }

  initEvent(type: unknown, bubbles: unknown = false, cancelable: unknown = false): void {
    assertArguments(arguments.length, 1, "Event.initEvent");
    if (this.#isDispatching) return;
    this.#isPrevented = false;
    this.#isStopped = false;
    this.#isStoppedAtOnce = false;
    this.#isTrusted = false;
    this.#target = null;
    this.#type = toText(type);
    this.#bubbles = Boolean(bubbles);
    this.#cancelable = Boolean(cancelable);
  }

  static {
    const { get } = getOwnPropertyDescriptor(
      {
        get isTrusted() {
          return (this as unknown as Event).#isTrusted;
        },
      },
      "isTrusted",
    ) as { get: () => boolean };
    trustedDescriptor = { __proto__: null, get, enumerable: true } as PropertyDescriptor;
    isEvent = (value) => typeof value === "object" && value !== null && #isDispatching in value;
    openDispatch = (event, target) => {
      event.#isDispatching = true;
      event.#target = target;
    };
    closeDispatch = (event) => {
      event.#isDispatching = false;
      event.#isStopped = false;
      event.#isStoppedAtOnce = false;
    };
    isStopped = (event) => event.#isStopped;
    isStoppedAtOnce = (event) => event.#isStoppedAtOnce;
    isPrevented = (event) => event.#isPrevented;
    setPassive = (event, passive) => {
      event.#isPassive = passive;
    };
    trust = (event, isTrusted) => {
      event.#isTrusted = isTrusted;
      return event;
    };
  }
}

/** CustomEvent (DOM Standard, 2.4). */
class CustomEvent extends Event {
  #detail: unknown;

  constructor(type: unknown, init: unknown = undefined) {
    assertArguments(arguments.length, 1, "CustomEvent");
    super(type, init);
    this.#detail = toDictionary(init, "CustomEventInit")["detail"] ?? null;
  }

  get detail(): unknown {
    return this.#detail;
  }

  initCustomEvent(type: unknown, bubbles: unknown = false, cancelable: unknown = false, detail: unknown = null): void {
    assertArguments(arguments.length, 1, "CustomEvent.initCustomEvent");
    if (this.eventPhase !== CONSTANTS.NONE) return;
    this.initEvent(type, bubbles, cancelable);
    this.#detail = detail;
  }
}

export function installEvents(target: object): void {
  defineConstants(Event, CONSTANTS);
  installInterface(target, "Event", Event);
  installInterface(target, "CustomEvent", CustomEvent);
}
