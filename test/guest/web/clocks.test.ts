import { testByStandard } from "./as-node.ts";

testByStandard("timers and clocks", {
  "performance counts whole milliseconds from when the cell was told whose it is": [
    `const a = performance.now(); await new Promise((resolve) => setTimeout(resolve, 12)); const b = performance.now(); return [Number.isInteger(a), Number.isInteger(b), b - a >= 10, Math.abs(performance.timeOrigin + b - Date.now()) < 50, performance.toJSON().timeOrigin === performance.timeOrigin, performance instanceof EventTarget, Object.prototype.toString.call(performance)];`,
    [true, true, true, true, true, true, "[object Performance]"],
  ],
  "a clock that is turned back does not turn performance back": [
    `const before = performance.now(); const { now } = Date; Date.now = () => 0; const after = performance.now(); Date.now = now; return after >= before;`,
    true,
  ],
  "setImmediate runs after microtasks and can be cleared": [
    `const seen = []; await new Promise((resolve) => { setImmediate((word) => { seen.push(word); resolve(); }, "immediate"); const cleared = setImmediate(() => seen.push("cleared")); clearImmediate(cleared); queueMicrotask(() => seen.push("microtask")); seen.push("now"); }); return seen;`,
    ["now", "microtask", "immediate"],
  ],
  "a timer takes a function alone": [
    `return ["setTimeout", "setInterval", "setImmediate", "queueMicrotask"].map((name) => { try { globalThis[name]("globalThis.ran = true"); return "set"; } catch (error) { return error.name; } });`,
    ["TypeError", "TypeError", "TypeError", "TypeError"],
  ],
  "navigator names the engine and nothing of the machine": [
    `return [/^toolcell\\/\\d+\\.\\d+\\.\\d+/.test(navigator.userAgent), Object.keys(Object.getOwnPropertyDescriptors(Navigator.prototype)), (() => { try { new Navigator(); } catch (error) { return error.name; } })()];`,
    [true, ["constructor", "userAgent"], "TypeError"],
  ],
  "self is the global object, and may be replaced": [
    `const was = self === globalThis; self = 1; const now = [self, Object.getOwnPropertyDescriptor(globalThis, "self").writable]; self = globalThis; return [was, ...now];`,
    [true, 1, true],
  ],
});
