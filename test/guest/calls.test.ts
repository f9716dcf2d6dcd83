import assert from "node:assert/strict";
import { test } from "node:test";
import type { Call } from "../../runtime-api/guest/call.ts";
import { createCalls } from "../../runtime-api/guest/calls.ts";

test("a call is found by its number until it ends, however many come and go meanwhile", () => {
  const calls = createCalls();
  const made = Array.from({ length: 1000 }, (_, number) => ({ number }) as Call);
  const stays = (number: number): boolean => number % 90 === 0;
  for (const [number, call] of made.entries()) {
    calls.add(call);
    const ended = number - 10;
    if (ended >= 0 && !stays(ended)) calls.remove(ended);
  }
  for (const [number, call] of made.entries()) {
    const isThere = number >= 990 || stays(number);
    assert.equal(calls.find(number), isThere ? call : undefined, `${number}`);
    calls.remove(number);
    assert.equal(calls.find(number), undefined);
  }
  for (const number of [-1, 1000, 0.5]) assert.equal(calls.find(number), undefined);
});
