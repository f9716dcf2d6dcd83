import assert from "node:assert/strict";
import { isIP, Socket } from "node:net";
import { test } from "node:test";
import * as fc from "fast-check";
import { classifyAddress, parseAddress } from "../../../src/powers/network/address.ts";
import type { ConnectTarget } from "../../../src/powers/network/connector.ts";
import { makeNetwork } from "./a-network.ts";
import { isPublicByHand } from "./oracle.ts";

const PUBLIC_ADDRESS = "93.184.216.34";

/** Where the network would have gone, and which names it asked for. */
interface Watched {
  readonly targets: ConnectTarget[];
  readonly asked: string[];
}

async function tryAll(
  urls: readonly string[],
  entries: readonly string[],
  addresses: readonly string[] = [PUBLIC_ADDRESS],
): Promise<Watched> {
  const watched: Watched = { targets: [], asked: [] };
  await using network = makeNetwork({
    limits: { fetchCount: 1_000_000, fetchRatePerMinuteCount: 1_000_000 },
    resolve: (host) => {
      watched.asked.push(host);
      return Promise.resolve(addresses);
    },
    connect: (target) => {
      watched.targets.push(target);
      return new Socket().destroy(Object.assign(new Error("none"), { code: "ECONNREFUSED" }));
    },
  });
  const call = network.call(entries);
  for (const url of urls) await assert.rejects(call.fetch(url), { name: "PowerError" }, url);
  call.end();
  return watched;
}

// Odd notations of IPv4: whole, in parts, each part decimal, octal or hexadecimal, with a final dot.
const part = (max: number): fc.Arbitrary<string> =>
  fc
    .nat({ max })
    .chain((value) =>
      fc.constantFrom(
        `${value}`,
        `0${value.toString(8)}`,
        `0x${value.toString(16)}`,
        `0X${value.toString(16).toUpperCase()}`,
        `00000${value.toString(8)}`,
      ),
    );
const oddIpv4 = fc
  .oneof(
    fc.tuple(part(0xffff_ffff)),
    fc.tuple(fc.constantFrom("127", "0x7f", "0177", "10", "0", "192", "169"), part(0xff_ffff)),
    fc.tuple(part(255), part(255), part(0xffff)),
    fc.tuple(part(255), part(255), part(255), part(255)),
    fc.constantFrom(["127", "1"], ["2130706433"], ["0"], ["169.254.169.254"], ["0xa9fea9fe"], ["017700000001"]),
  )
  .map((parts) => parts.join("."))
  .chain((text) => fc.constantFrom(text, `${text}.`, fullwidth(text), text.replaceAll(".", "%2e"), text.replaceAll(".", "。")));

const group = fc.nat({ max: 0xffff }).map((value) => value.toString(16));
const groups = (count: number): fc.Arbitrary<string> => fc.array(group, { minLength: count, maxLength: count }).map((all) => all.join(":"));
const dotted = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255)).map((bytes) => bytes.join("."));
const oddIpv6 = fc
  .oneof(
    groups(8),
    fc
      .tuple(
        fc.constantFrom(
          "fe80",
          "fc00",
          "fd00:ec2",
          "ff02",
          "fec0",
          "2002:7f00:1",
          "2001:0",
          "2001:db8",
          "64:ff9b",
          "64:ff9b:1",
          "2606:4700",
        ),
        groups(2),
      )
      .map(([head, tail]) => `${head}::${tail}`),
    fc
      .tuple(fc.constantFrom("::", "::ffff:", "64:ff9b::", "::ffff:0:", "2002::", "0:0:0:0:0:ffff:"), dotted)
      .map(([head, tail]) => head + tail),
    fc.constantFrom(
      "::1",
      "::",
      "0:0:0:0:0:0:0:1",
      "::ffff:7f00:1",
      "::ffff:127.0.0.1",
      "fd00:ec2::254",
      "64:ff9b::a9fe:a9fe",
      "fe80::1%25eth0",
    ),
  )
  .map((text) => `[${text}]`);

const name = fc.oneof(
  fc.constantFrom(
    "allowed.com.evil.com",
    "evilallowed.com",
    "allowed.comx",
    "xn--llowed-3ve.com",
    "аllowed.com",
    "sub.allowed.com.evil.org",
    "localhost",
    "localhost.",
    "LOCALHOST",
    "metadata.google.internal",
    "allowed.com%00.evil.com",
    "allowed.com%2eevil.com",
    "allowed.com\\.evil.com",
    "allowed%E3%80%82com.evil.com",
    "evil.com%23.allowed.com",
    "evil.com%2f.allowed.com",
  ),
  fc.domain(),
);
const host = fc.oneof(oddIpv4, oddIpv6, name);
const userInfo = fc.constantFrom(
  "",
  "",
  "",
  "allowed.com@",
  "allowed.com:443@",
  "user:pass@",
  "allowed.com%40",
  "@",
  ":@",
  "allowed.com#@",
  "allowed.com\\@",
  "allowed.com/@",
  "\t",
  "\n",
);
const scheme = fc.constantFrom(
  "http://",
  "https://",
  "HTTP://",
  "http:",
  "https:\\\\",
  "http:/",
  "//",
  "ftp://",
  "file://",
  "ws://",
  "gopher://",
  "data:",
  "blob:",
  " https://",
  "ht\ntp://",
);
const port = fc.constantFrom("", "", ":80", ":443", ":22", ":8080", ":0", ":65536", ":080", ":25", ":");
const tail = fc.constantFrom("", "/", "/a?b=c", "?x", "#@allowed.com", "\\@allowed.com", "/\r\nHost: allowed.com", "/%0d%0a");
const url = fc.tuple(scheme, userInfo, host, port, tail).map((parts) => parts.join(""));

// Whatever the URL is, its host as bytes decides.
function mayReach({ host: reached, port: at, addresses }: ConnectTarget): boolean {
  const isOwn =
    ((reached === "allowed.com" || reached.endsWith(".allowed.com")) && (at === 443 || at === 80)) ||
    (reached === "ported.com" && at === 8080);
  const isLiteral = isIP(reached) !== 0;
  return !isLiteral && isOwn && addresses.every((address) => address === PUBLIC_ADDRESS);
}

const RUNS = 12_000;

test("of generated URLs none that is not granted reaches the connector or a name server", async () => {
  const urls = fc.sample(url, { numRuns: RUNS, seed: 1 });
  const { targets, asked } = await tryAll(urls, ["allowed.com", "*.allowed.com", "ported.com:8080"]);
  for (const target of targets) assert.ok(mayReach(target), JSON.stringify(target));
  for (const each of asked) assert.ok(each === "allowed.com" || each.endsWith(".allowed.com"), each);
  assert.ok(targets.length > 0, "some of them are granted");
});

test("of generated URLs none reaches an address that is not public where everything public is granted", async () => {
  const urls = fc.sample(url, { numRuns: RUNS, seed: 2 });
  const { targets } = await tryAll(urls, ["public"]);
  let literals = 0;
  for (const { host: reached, port: at, addresses } of targets) {
    assert.ok(at === 80 || at === 443, `${reached}:${at}`);
    assert.notEqual(reached, "metadata.google.internal");
    for (const address of addresses) {
      assert.ok(isPublicByHand(address), `${reached} at ${address}`);
      if (address === reached) literals += 1;
    }
  }
  assert.ok(literals > 100, "some literals are public");
});

test("of generated answers of name servers no one that is not public is connected to", async () => {
  const address = fc.oneof(
    dotted,
    oddIpv6.map((text) => text.slice(1, -1)),
    fc.constantFrom("127.0.0.1", "10.0.0.1", "::1", "fe80::1%eth0", "", "localhost", "93.184.216.34\u0000"),
  );
  for (const [index, answers] of fc.sample(fc.array(address, { minLength: 1, maxLength: 3 }), { numRuns: 400, seed: 3 }).entries()) {
    const { targets } = await tryAll([`https://name${index}.example/`], ["public"], answers);
    for (const { addresses } of targets) for (const each of addresses) assert.ok(isPublicByHand(each), each);
  }
});

test("an address is the same however it is written", () => {
  const bytes = fc.uint8Array({ minLength: 16, maxLength: 16 });
  fc.assert(
    fc.property(bytes, (given) => {
      const full = Array.from({ length: 8 }, (_, at) => (((given[at * 2] ?? 0) << 8) | (given[at * 2 + 1] ?? 0)).toString(16)).join(":");
      assert.deepEqual(parseAddress(full), given);
      assert.deepEqual(parseAddress(new URL(`http://[${full}]/`).hostname), given);
    }),
    { numRuns: 3000 },
  );
});

const PRIVATE = `0.0.0.0 0.1.2.3 10.1.2.3 100.64.0.1 100.127.255.255 127.0.0.1 127.255.255.254 169.254.1.1 172.16.0.1 172.31.255.255
  192.0.0.1 192.0.2.1 192.88.99.1 192.168.1.1 198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1 239.1.1.1
  240.0.0.1 255.255.255.255 :: ::1 ::7f00:1 ::ffff:8.8.8.8 64:ff9b::8.8.8.8 64:ff9b:1::1 100::1 2001::1 2001:10::1
  2001:db8::1 2002:7f00:1:: 2002:808:808::1 3fff::1 fc00::1 fd12::1 fe80::1 febf::1 fec0::1 ff02::1 5f00::1 4000::1`;
const METADATA = `169.254.169.254 100.100.100.200 168.63.129.16 fd00:ec2::254 ::ffff:169.254.169.254 64:ff9b::a9fe:a9fe 2002:a9fe:a9fe::1
  2001:0:1:2:3:4:5601:5601`;
const PUBLIC = `8.8.8.8 100.63.255.255 100.128.0.0 172.15.0.1 172.32.0.1 192.0.1.1 198.20.0.0 223.255.255.255 2606:4700::1111 2a00::1
  2001:4860::8888`;

test("every special address is refused by its bytes", () => {
  for (const [kind, list] of Object.entries({ private: PRIVATE, metadata: METADATA, public: PUBLIC })) {
    for (const text of list.split(/\s+/u)) assert.equal(classifyAddress(parseAddress(text) ?? new Uint8Array()), kind, text);
  }
});

function fullwidth(text: string): string {
  return text.replaceAll(/[0-9]/gu, (digit) => String.fromCharCode(digit.charCodeAt(0) - 0x30 + 0xff10));
}
