import { after, before, describe, test } from "node:test";
import type { EngineOptions, LimitName, Limits } from "toolcell";
import type { Files } from "../support/capabilities.ts";
import { makeEngine, type TestEngine } from "../support/engines.ts";

/** A sentence about behaviour and what shows it. */
type Proof = readonly [says: string, show: (made: TestEngine) => Promise<void>];

interface LimitTest {
  readonly files: Files;
  /** The value that the first two proofs are held to. */
  readonly set: number;
  /** The override of the third. Default: the table's own value. */
  readonly raisedTo?: number;
  /** Other limits that all three need. */
  readonly beside?: Partial<Limits>;
  /** Whatever else all three need of the engine. */
  readonly options?: Omit<EngineOptions, "limits">;
  readonly at: Proof;
  readonly over: Proof;
  readonly raised: Proof;
}

/** The three tests of one limit: at it, one over it, overridden. */
export function testLimit(name: LimitName, { files, set, raisedTo, beside = {}, options = {}, at, over, raised }: LimitTest): void {
  describe(name, () => {
    describe("as set", () => {
      let made: TestEngine;
      before(async () => {
        made = await makeEngine(files, { ...options, limits: { ...beside, [name]: set } });
      });
      after(() => made[Symbol.asyncDispose]());
      test(`${name}: ${at[0]}`, () => at[1](made));
      test(`${name}: ${over[0]}`, () => over[1](made));
    });
    test(`${name} overridden: ${raised[0]}`, async () => {
      await using other = await makeEngine(files, {
        ...options,
        limits: { ...beside, ...(raisedTo === undefined ? {} : { [name]: raisedTo }) },
      });
      await raised[1](other);
    });
  });
}
