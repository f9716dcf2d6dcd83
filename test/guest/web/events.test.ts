import { testAsNode, testByStandard } from "./as-node.ts";

testAsNode("events and their targets behave", {
  "listeners are called in order, once each, with the target": `const t = new EventTarget(); const seen = []; const f = (e) => seen.push("f", e.target === t, e.currentTarget === t, e.eventPhase); t.addEventListener("a", f); t.addEventListener("a", f); t.addEventListener("a", { handleEvent(e) { seen.push("o", this !== undefined, e.type); } }); const e = new Event("a"); t.dispatchEvent(e); return [seen, e.target === t, e.currentTarget, e.eventPhase];`,
  "preventDefault, stopImmediatePropagation, what is removed meanwhile": `const t = new EventTarget(); const seen = []; const late = () => seen.push("late"); t.addEventListener("a", (e) => { e.preventDefault(); t.removeEventListener("a", late); t.addEventListener("a", () => seen.push("added")); seen.push("first"); }); t.addEventListener("a", late); t.addEventListener("a", (e) => { e.stopImmediatePropagation(); seen.push("stop"); }); t.addEventListener("a", () => seen.push("never")); const ok = t.dispatchEvent(new Event("a", { cancelable: true })); return [seen, ok];`,
  "an event's attributes": `const e = new Event("x", { bubbles: true, cancelable: true, composed: true }); return [e.type, e.bubbles, e.cancelable, e.composed, e.defaultPrevented, e.returnValue, e.cancelBubble, e.isTrusted, e.composedPath(), e.srcElement, Object.prototype.toString.call(e), Event.NONE, Event.BUBBLING_PHASE, typeof e.timeStamp];`,
  "returnValue and cancelBubble can be set": `const e = new Event("x", { cancelable: true }); e.returnValue = false; e.cancelBubble = true; return [e.defaultPrevented, e.returnValue, e.cancelBubble];`,
  CustomEvent: `const e = new CustomEvent("a", { detail: { a: 1 } }); return [e.detail, e instanceof Event, new CustomEvent("b").detail, e.type];`,
  "no event": `return new EventTarget().dispatchEvent({ type: "a" });`,
  "no arguments": `return new Event();`,
  "no listener": `return [new EventTarget().addEventListener("a", null), new EventTarget().removeEventListener("a", null)];`,
  "a bad listener": `return new EventTarget().addEventListener("a", "text");`,
  "no EventTarget": `return EventTarget.prototype.addEventListener.call({}, "a", () => 1);`,
  "a class made from EventTarget": `class Mine extends EventTarget { go() { return this.dispatchEvent(new Event("go")); } } const m = new Mine(); let n = 0; m.addEventListener("go", function () { n += this === m ? 1 : 0; }); return [m.go(), n, m instanceof EventTarget];`,
  DOMException: `const e = new DOMException("words", "DataCloneError"); return [e.name, e.message, e.code, e instanceof Error, Object.prototype.toString.call(e), String(e), DOMException.ABORT_ERR, e.ABORT_ERR, new DOMException().name, new DOMException("a", { name: "b", cause: 7 }).cause, Object.keys(e), typeof e.stack, Object.getPrototypeOf(DOMException) === Function.prototype];`,
  "no DOMException": `return Object.create(DOMException.prototype).name;`,
});

testAsNode("signals behave", {
  "abort: reason, handler, listeners": `const c = new AbortController(); const seen = []; c.signal.addEventListener("abort", (e) => seen.push(e.type, e.isTrusted)); c.signal.onabort = () => seen.push("handler"); c.signal.addEventListener("abort", () => seen.push("last")); c.abort("why"); c.abort("again"); return [seen, c.signal.aborted, c.signal.reason];`,
  "without a reason": `const c = new AbortController(); c.abort(); return [c.signal.reason, AbortSignal.abort().reason, AbortSignal.abort(null).reason];`,
  throwIfAborted: `AbortSignal.abort(new RangeError("a")).throwIfAborted();`,
  timeout: `const s = AbortSignal.timeout(5); await new Promise((resolve) => s.addEventListener("abort", resolve)); return [s.aborted, s.reason];`,
  any: `const [a, b] = [new AbortController(), new AbortController()]; const seen = []; const any = AbortSignal.any([a.signal, AbortSignal.any([b.signal])]); any.addEventListener("abort", () => seen.push("any")); b.signal.addEventListener("abort", () => seen.push("b " + any.aborted)); b.abort(3); a.abort(4); return [seen, any.reason, AbortSignal.any([]).aborted, AbortSignal.any([AbortSignal.abort(1), AbortSignal.abort(2)]).reason];`,
  "any of none": `return AbortSignal.any([{}]);`,
  "no constructor": `return new AbortSignal();`,
  "in a listener's options": `return new EventTarget().addEventListener("a", () => 1, { signal: {} });`,
  "an aborted signal adds nothing": `const t = new EventTarget(); let n = 0; t.addEventListener("a", () => n++, { signal: AbortSignal.abort() }); t.dispatchEvent(new Event("a")); return n;`,
});

testByStandard("events and signals", {
  "those who capture are called first at the target itself; once, passive, signal": [
    `const t = new EventTarget(); const seen = []; const c = new AbortController();
    t.addEventListener("a", () => seen.push("once"), { once: true }); t.addEventListener("a", (e) => { e.preventDefault(); seen.push("passive " + e.defaultPrevented); }, { passive: true });
    t.addEventListener("a", () => seen.push("signal"), { signal: c.signal }); const f = () => seen.push("capture"); t.addEventListener("a", f, true); t.removeEventListener("a", f); t.dispatchEvent(new Event("a", { cancelable: true })); t.removeEventListener("a", f, { capture: true }); c.abort(); t.dispatchEvent(new Event("a")); return seen;`,
    ["capture", "once", "passive false", "signal", "passive false"],
  ],
  "a capturing listener can stop those that do not": [
    `const t = new EventTarget(); const seen = []; t.addEventListener("a", () => seen.push("bubble")); t.addEventListener("a", (e) => { seen.push("capture"); e.stopPropagation(); }, true); t.dispatchEvent(new Event("a")); return seen;`,
    ["capture"],
  ],
  "an event is dispatched once at a time": [
    `const t = new EventTarget(); let name; t.addEventListener("a", (e) => { try { t.dispatchEvent(e); } catch (error) { name = error.name; } }); t.dispatchEvent(new Event("a")); return name;`,
    "InvalidStateError",
  ],
  "an event can be dispatched again": [
    `const t = new EventTarget(); let n = 0; t.addEventListener("a", () => n++); const e = new Event("a"); t.dispatchEvent(e); t.dispatchEvent(e); return [n, e.currentTarget];`,
    [2, null],
  ],
  "a listener that throws stops nobody": [
    `const t = new EventTarget(); const seen = []; t.addEventListener("a", () => { throw new Error("first"); }); t.addEventListener("a", () => seen.push("second")); return [t.dispatchEvent(new Event("a")), seen];`,
    [true, ["second"]],
  ],
  "onabort is a function or null, and keeps its place": [
    `const c = new AbortController(); const seen = []; c.signal.onabort = () => seen.push(1); c.signal.addEventListener("abort", () => seen.push(2)); c.signal.onabort = () => seen.push(3); const had = typeof c.signal.onabort; c.signal.onabort = "text"; return [had, c.signal.onabort, (c.abort(), seen)];`,
    ["function", null, [2]],
  ],
  "a time that is none": [
    `return [-1, NaN, Infinity, 2 ** 53].map((time) => { try { AbortSignal.timeout(time); return "set"; } catch (error) { return error.name; } });`,
    ["TypeError", "TypeError", "TypeError", "TypeError"],
  ],
  "a signal made of others is aborted though nobody holds it": [
    `const c = new AbortController(); const aborted = new Promise((resolve) => AbortSignal.any([c.signal]).addEventListener("abort", () => resolve("aborted"))); for (let at = 0; at < 200; at += 1) AbortSignal.any([c.signal]); c.abort(); return aborted;`,
    "aborted",
  ],
  "nobody feigns who fired an event": [
    `const e = new Event("a"); try { Object.defineProperty(e, "isTrusted", { value: true }); } catch (error) { return [error.name, e.isTrusted]; }`,
    ["TypeError", false],
  ],
});
