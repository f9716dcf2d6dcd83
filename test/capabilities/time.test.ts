import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { buildAll, type Answer, type BuiltTool } from "./built.ts";

let all: Awaited<ReturnType<typeof buildAll>>;
let convert: BuiltTool;
let add: BuiltTool;
let difference: BuiltTool;
before(async () => {
  all = await buildAll();
  [convert, add, difference] = await Promise.all([all.tool("time/convert"), all.tool("time/add"), all.tool("time/difference")]);
});
after(() => all[Symbol.asyncDispose]());

const iso = (answer: Answer, key: "from" | "result"): string => (answer.payload[key] as { iso: string }).iso;
const isoList = (answer: Answer, key: "to"): string[] => (answer.payload[key] as { iso: string }[]).map((facts) => facts.iso);

describe("time_convert", () => {
  const table: [args: Record<string, unknown>, result: string][] = [
    [{ time: "2026-05-01T12:00:00Z", to: ["Asia/Tokyo"] }, "2026-05-01T21:00:00+09:00[Asia/Tokyo]"],
    [{ time: "2026-05-01 12:00", from: "America/New_York", to: ["UTC"] }, "2026-05-01T16:00:00+00:00[UTC]"],
    [{ time: "2026-05-01T12:00-05", to: ["UTC"] }, "2026-05-01T17:00:00+00:00[UTC]"],
    [{ time: "2026-05-01T12:00[Asia/Kathmandu]", to: ["UTC"] }, "2026-05-01T06:15:00+00:00[UTC]"],
    [{ time: "1700000000", to: ["UTC"] }, "2023-11-14T22:13:20+00:00[UTC]"],
    [{ time: "1700000000000", to: ["UTC"] }, "2023-11-14T22:13:20+00:00[UTC]"],
    [{ time: "2026-05-01", from: "+05:30", to: ["UTC"] }, "2026-04-30T18:30:00+00:00[UTC]"],
    [{ time: "2026-05-01T12:00", to: ["UTC"] }, "2026-05-01T10:00:00+00:00[UTC]"], // In the host's zone, Europe/Berlin.
    [{ time: "1883-11-18T12:00", from: "America/New_York", to: ["UTC"] }, "1883-11-18T16:56:02+00:00[UTC]"], // Local mean time.
  ];
  for (const [args, result] of table)
    test(`${JSON.stringify(args)} is ${result}`, () => assert.deepEqual(isoList(convert.call(args), "to"), [result]));

  test("a local time in a gap is moved past it, and said so", () => {
    const answer = convert.call({ time: "2026-03-29T02:30", from: "Europe/Berlin", to: ["UTC"] });
    assert.deepEqual(isoList(answer, "to"), ["2026-03-29T01:30:00+00:00[UTC]"]);
    assert.match(answer.text, /02:30 does not exist in Europe\/Berlin: the clocks go forward; taken as 03:30/);
    assert.deepEqual(
      isoList(convert.call({ time: "2026-03-29T02:30", from: "Europe/Berlin", to: ["UTC"], disambiguation: "earlier" }), "to"),
      ["2026-03-29T00:30:00+00:00[UTC]"],
    );
  });

  test("a local time that occurs twice is the first, or the one asked for", () => {
    const call = (disambiguation: string): Answer =>
      convert.call({ time: "2026-10-25T02:30", from: "Europe/Berlin", to: ["UTC"], disambiguation });
    assert.deepEqual(isoList(call("compatible"), "to"), ["2026-10-25T00:30:00+00:00[UTC]"]);
    assert.deepEqual(isoList(call("later"), "to"), ["2026-10-25T01:30:00+00:00[UTC]"]);
    assert.match(call("later").text, /occurs twice .* taken as the second, at offset \+01:00/);
    assert.match(
      convert.refusal({ time: "2026-10-25T02:30", from: "Europe/Berlin", disambiguation: "reject" }),
      /occurs twice.*Give another time/,
    );
  });

  test("a day without midnight begins when it begins", () => {
    assert.equal(
      iso(convert.call({ time: "2018-11-04", from: "America/Sao_Paulo" }), "from"),
      "2018-11-04T01:00:00-02:00[America/Sao_Paulo]",
    );
  });

  test("now is now", () => {
    const earliest = Date.now();
    const { epochMs } = convert.call({}).payload.from as { epochMs: number };
    assert.ok(epochMs >= earliest && epochMs <= Date.now());
  });

  test("there and back is the same moment", () => {
    const zones = ["Europe/Berlin", "America/St_Johns", "Australia/Lord_Howe", "Pacific/Apia", "UTC", "+05:45"];
    for (let hour = 0; hour < 8760; hour += 97) {
      const epochMs = Date.UTC(2026, 0, 1, hour, 17);
      for (const zone of zones) {
        const there = isoList(convert.call({ time: String(epochMs), to: [zone] }), "to")[0] ?? "";
        assert.equal((convert.call({ time: there }).payload.from as { epochMs: number }).epochMs, epochMs, there);
      }
    }
  });

  test("refuses what is no time or no zone, and says how to write it", () => {
    for (const time of ["tomorrow", "2026-02-30", "2026-13-01", "25:00", "2026-05-01T12:00:00-04:00[Europe/Berlin]"])
      assert.match(convert.refusal({ time }), /cannot be read as a time.*Write it as/);
    assert.match(convert.refusal({ to: ["PST"] }), /"to" names the time zone "PST".*several zones/);
    assert.match(convert.refusal({ from: "Europe/Atlantis" }), /"from" names the time zone "Europe\/Atlantis"/);
  });
});

describe("time_add", () => {
  const table: [args: Record<string, unknown>, result: string][] = [
    [{ time: "2026-01-31T10:00", zone: "UTC", months: 1 }, "2026-02-28T10:00:00+00:00[UTC]"],
    [{ time: "2024-02-29", zone: "UTC", years: 1 }, "2025-02-28T00:00:00+00:00[UTC]"],
    [{ time: "2026-03-31", zone: "UTC", months: -1 }, "2026-02-28T00:00:00+00:00[UTC]"],
    [{ time: "2026-03-28T12:00", zone: "Europe/Berlin", days: 1 }, "2026-03-29T12:00:00+02:00[Europe/Berlin]"],
    [{ time: "2026-03-28T12:00", zone: "Europe/Berlin", hours: 24 }, "2026-03-29T13:00:00+02:00[Europe/Berlin]"],
    [{ time: "2026-10-25T01:30", zone: "Europe/Berlin", hours: 2 }, "2026-10-25T02:30:00+01:00[Europe/Berlin]"],
    [{ time: "2026-03-28T02:30", zone: "Europe/Berlin", days: 1 }, "2026-03-29T03:30:00+02:00[Europe/Berlin]"],
    [{ time: "2026-03-28", zone: "UTC", duration: "P1Y2M10DT2H30M" }, "2027-06-07T02:30:00+00:00[UTC]"],
    [{ time: "2026-03-28", zone: "UTC", duration: "-PT45M" }, "2026-03-27T23:15:00+00:00[UTC]"],
    [{ time: "2026-03-28", zone: "UTC", months: 1, days: -1 }, "2026-04-27T00:00:00+00:00[UTC]"],
    [{ time: "2026-03-28", zone: "UTC", weeks: 2, minutes: 90 }, "2026-04-11T01:30:00+00:00[UTC]"],
  ];
  for (const [args, result] of table)
    test(`${JSON.stringify(args)} gives ${result}`, () => assert.equal(iso(add.call(args), "result"), result));

  test("says where the clocks change in between", () => {
    assert.match(
      add.call({ time: "2026-03-28T02:30", zone: "Europe/Berlin", days: 1 }).text,
      /02:30 does not exist on that day[^]*The offset changes from \+01:00 to \+02:00/,
    );
  });

  test("refuses a duration that is none and a result out of range", () => {
    assert.match(add.refusal({ duration: "1 day" }), /"duration" is "1 day"/);
    assert.match(add.refusal({ time: "+275000-01-01", zone: "UTC", years: 10000 }), /outside the years/);
  });
});

describe("time_difference", () => {
  const table: [args: Record<string, unknown>, words: string, hours: number][] = [
    [{ from: "2026-01-31", to: "2026-03-01", zone: "UTC" }, "1 month, 1 day", 696],
    [{ from: "2026-03-28T12:00", to: "2026-03-29T12:00", zone: "Europe/Berlin" }, "1 day", 23],
    [{ from: "2026-03-28T12:00", to: "2026-03-29T12:00", zone: "Europe/Berlin", unit: "hours" }, "23 hours", 23],
    [{ from: "2026-10-24T12:00", to: "2026-10-25T12:00", zone: "Europe/Berlin", unit: "hours" }, "25 hours", 25],
    [{ from: "2026-01-02", to: "2026-01-01", zone: "UTC" }, "minus 1 day", -24],
    [{ from: "2026-01-01", to: "2026-01-01", zone: "UTC" }, "no time at all", 0],
    [{ from: "2026-01-01T00:00:00Z", to: "2026-01-01T02:00:00+02:00" }, "no time at all", 0],
    [{ from: "2024-02-29", to: "2026-02-28", zone: "UTC" }, "1 year, 11 months, 30 days", 17_520],
    [{ from: "2026-01-01", to: "2026-01-20", zone: "UTC", unit: "weeks" }, "2 weeks, 5 days", 456],
  ];
  for (const [args, words, hours] of table) {
    test(`${JSON.stringify(args)} is ${words}`, () => {
      const { summary, payload } = difference.call(args);
      assert.equal(summary, words);
      assert.equal((payload.total as { hours: number }).hours, hours);
    });
  }

  test("added to the first time, the difference gives the second", () => {
    const times = ["2026-01-31T08:15", "2026-03-29T01:59", "2026-10-25T00:30", "2026-12-31T23:59:59", "2024-02-29T12:00"];
    for (const from of times) {
      for (const to of times) {
        if (to < from) continue; // By the calendar, going back month by month is not the same way.
        const { payload } = difference.call({ from, to, zone: "Europe/Berlin" });
        assert.equal(
          iso(add.call({ time: from, zone: "Europe/Berlin", duration: payload.duration }), "result"),
          (payload.to as { iso: string }).iso,
          `${from} to ${to}`,
        );
      }
    }
  });
});
