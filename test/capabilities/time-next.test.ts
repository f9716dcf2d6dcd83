import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { buildAll, type BuiltTool } from "./built.ts";

let all: Awaited<ReturnType<typeof buildAll>>;
let next: BuiltTool;
before(async () => {
  all = await buildAll();
  next = await all.tool("time/next");
});
after(() => all[Symbol.asyncDispose]());

describe("time_next", () => {
  const due = (args: object): string[] =>
    (next.call({ zone: "Europe/Berlin", count: 3, ...args }).payload.times as { iso: string }[]).map(({ iso }) =>
      iso.replace("[Europe/Berlin]", ""),
    );

  test("cron on working days", () => {
    assert.deepEqual(due({ rule: "30 9 * * 1-5", after: "2026-05-01T09:30" }), [
      "2026-05-04T09:30:00+02:00",
      "2026-05-05T09:30:00+02:00",
      "2026-05-06T09:30:00+02:00",
    ]);
  });

  test("cron with seconds and with names", () => {
    assert.deepEqual(due({ rule: "15 0 12 * * *", after: "2026-05-01T12:00", count: 1 }), ["2026-05-01T12:00:15+02:00"]);
    assert.deepEqual(due({ rule: "@monthly", after: "2026-05-01T12:00", count: 1 }), ["2026-06-01T00:00:00+02:00"]);
    assert.deepEqual(due({ rule: "0 8 * FEB SUN", after: "2026-01-01", count: 1 }), ["2026-02-01T08:00:00+01:00"]);
  });

  test("cron at a time that the clocks leave out falls due when they have gone forward, and once when they go back", () => {
    assert.deepEqual(due({ rule: "30 2 * * *", after: "2026-03-28T12:00", count: 2 }), [
      "2026-03-29T03:00:00+02:00",
      "2026-03-30T02:30:00+02:00",
    ]);
    assert.deepEqual(due({ rule: "30 2 * * *", after: "2026-10-24T12:00", count: 2 }), [
      "2026-10-25T02:30:00+02:00",
      "2026-10-26T02:30:00+01:00",
    ]);
  });

  test("cron every half hour goes through both hours when the clocks go back", () => {
    assert.deepEqual(due({ rule: "*/30 * * * *", after: "2026-10-25T02:00:00+02:00", count: 4 }), [
      "2026-10-25T02:30:00+02:00",
      "2026-10-25T02:00:00+01:00",
      "2026-10-25T02:30:00+01:00",
      "2026-10-25T03:00:00+01:00",
    ]);
  });

  test("an RFC 5545 rule skips a time that the clocks leave out, and takes the first of two", () => {
    assert.deepEqual(due({ rule: "FREQ=DAILY", start: "2026-03-27T02:30", after: "2026-03-28T12:00", count: 2 }), [
      "2026-03-30T02:30:00+02:00",
      "2026-03-31T02:30:00+02:00",
    ]);
    assert.deepEqual(due({ rule: "FREQ=DAILY", start: "2026-10-20T02:30", after: "2026-10-24T12:00", count: 2 }), [
      "2026-10-25T02:30:00+02:00",
      "2026-10-26T02:30:00+01:00",
    ]);
  });

  const rules: [args: { rule: string; after: string; start?: string }, days: string[]][] = [
    [{ rule: "RRULE:FREQ=MONTHLY;BYDAY=-1FR", start: "2026-01-01T09:00", after: "2026-01-01" }, ["2026-01-30", "2026-02-27", "2026-03-27"]],
    [{ rule: "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE", start: "2026-01-05", after: "2026-01-05" }, ["2026-01-07", "2026-01-19", "2026-01-21"]],
    [{ rule: "FREQ=MONTHLY;BYMONTHDAY=31", start: "2026-01-31", after: "2026-02-01" }, ["2026-03-31", "2026-05-31", "2026-07-31"]],
    [{ rule: "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29", start: "2024-02-29", after: "2026-01-01" }, ["2028-02-29", "2032-02-29", "2036-02-29"]],
    [{ rule: "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13", start: "2026-01-01", after: "2026-01-01" }, ["2026-02-13", "2026-03-13", "2026-11-13"]],
    [
      { rule: "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", start: "2026-01-01", after: "2026-01-01" },
      ["2026-01-30", "2026-02-27", "2026-03-31"],
    ],
    [
      {
        rule: "DTSTART;TZID=Europe/Berlin:20260101T090000\nRRULE:FREQ=WEEKLY;BYDAY=MO\nEXDATE;TZID=Europe/Berlin:20260105T090000",
        after: "2026-01-01",
      },
      ["2026-01-12", "2026-01-19", "2026-01-26"],
    ],
  ];
  for (const [args, days] of rules)
    test(`${args.rule.replaceAll("\n", " ")} falls on ${days.join(", ")}`, () =>
      assert.deepEqual(
        due(args).map((text) => text.slice(0, 10)),
        days,
      ));

  test("a rule that ends says so", () => {
    const answer = next.call({ rule: "FREQ=DAILY;COUNT=3", start: "2026-01-01", after: "2026-01-01", zone: "UTC" });
    assert.equal(answer.payload.isComplete, true);
    assert.match(answer.text, /2026-01-02[^]*2026-01-03[^]*The rule ends there\.$/);
    assert.match(
      next.call({ rule: "FREQ=DAILY;UNTIL=20250101T000000Z", start: "2024-12-01", after: "2026-01-01" }).text,
      /never falls due/,
    );
    assert.match(next.call({ rule: "0 0 30 2 *" }).text, /never falls due/);
  });

  test("a rule whose parts never come together is given up", () => {
    assert.match(next.refusal({ rule: "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", after: "2026-01-01" }), /there is no 30th of February/);
  });

  test("refuses what is no rule, and names the part that is wrong", () => {
    assert.match(next.refusal({ rule: "every day" }), /neither cron nor an RFC 5545 rule/);
    assert.match(next.refusal({ rule: "61 * * * *" }), /neither cron/);
    assert.match(next.refusal({ rule: "FREQ=FORTNIGHTLY" }), /FREQ=FORTNIGHTLY/);
    assert.match(next.refusal({ rule: "FREQ=DAILY;BYHOUR=99" }), /BYHOUR=99/);
    assert.match(next.refusal({ rule: "FREQ=DAILY;BYEASTER=1" }), /the part "BYEASTER=1", which RFC 5545 does not know/);
    assert.match(next.refusal({ rule: "0 0 * * *", start: "2026-01-01" }), /"start" goes with an RFC 5545 rule only/);
  });
});
