import assert from "node:assert/strict";
import { toolFile } from "../support/capabilities.ts";
import type { TestEngine } from "../support/engines.ts";
import { testLimit } from "./a-limit.ts";

const SET = 400;

/** A tool whose whole line takes `chars`, and another with a description and arguments without end. */
function sized(name: string, chars: number): string {
  const line = `15. ${name}() -  [from sized]`;
  return toolFile(name, "function run() {}").replace(`Does ${name}.`, "d".repeat(chars - line.length));
}

const MANY = JSON.stringify({
  type: "object",
  properties: Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`argument_${index}`, { type: "string" }])),
});

function lineOf({ engine }: TestEngine, tool: string): string {
  return (
    engine
      .promptText()
      .split("\n")
      .find((line) => line.includes(` ${tool}(`)) ?? ""
  );
}

testLimit("promptChars", {
  files: {
    "sized/a_at.js": sized("a_at", SET),
    "sized/b_over.js": sized("b_over", SET + 1),
    "sized/c_many.js": toolFile("c_many", "function run() {}", { schema: MANY }),
  },
  set: SET,
  at: [
    "a tool's line may have as many characters",
    async (made) => {
      assert.equal(lineOf(made, "a_at").length, SET);
      assert.match(lineOf(made, "a_at"), /- d+ \[from sized\]$/u);
    },
  ],
  over: [
    "what is longer is cut, its arguments counted, and its source stays",
    async (made) => {
      assert.equal(lineOf(made, "b_over").length, SET);
      assert.match(lineOf(made, "b_over"), /- d+… \[from sized\]$/u);
      const many = lineOf(made, "c_many");
      assert.ok(many.length <= SET);
      const shown = [...many.matchAll(/argument_\d+\?: string/gu)].length;
      assert.match(many, new RegExp(`, … ${100 - shown} more\\)( - .*)? \\[from sized\\]$`, "u"));
    },
  ],
  raised: [
    "a longer line is whole",
    async (made) => {
      assert.equal(lineOf(made, "b_over").length, SET + 1);
      assert.doesNotMatch(lineOf(made, "b_over"), /…/u);
    },
  ],
});
