import assert from "node:assert/strict";
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, describe, test } from "node:test";
import type { Json } from "../../src/catalogue/json.ts";
import { NO_PERMISSIONS, type Permissions } from "../../src/powers/permissions.ts";
import { createSecrets, type Secrets } from "../../src/powers/secrets/secrets.ts";
import { createVault, type SecretVault } from "../../src/powers/secrets/vault.ts";
import { makeTempFolder, writeFiles } from "../support/capabilities.ts";
import { ask, makeUse } from "../powers/storage/use.ts";

const VARIABLE = "TOOLCELL_TEST_MYAPI_KEY";
const ASKED = { credentialName: "toolcell_test_myapi", toolName: "myapi_tool", keyName: "api_key", envVar: VARIABLE };
const STAND_IN = /^toolcell-secret-[0-9a-f]{32}$/u;

interface Places extends Disposable {
  readonly home: string;
  readonly vault: SecretVault;
  readonly secrets: Secrets;
  config(value: Json): void;
  shared(value: Json): void;
  /** The value itself, which the grant of these places gives. */
  find(asked?: object, names?: readonly string[]): Promise<unknown>;
}

function makePlaces(): Places {
  const temp = makeTempFolder();
  const home = temp.path;
  const vault = createVault({ home, keyring: () => Promise.resolve(null) });
  const secrets = createSecrets(vault, home);
  return {
    home,
    vault,
    secrets,
    config: (value) => writeFiles(home, { "config.json": JSON.stringify(value) }),
    shared: (value) => writeFiles(home, { "shared/credentials.json": JSON.stringify(value) }),
    find: (asked = {}, names = [VARIABLE]) => ask(secrets, makeUse("tool", grantOf(...names)), "credential", { ...ASKED, ...asked }),
    [Symbol.dispose]: () => temp[Symbol.dispose](),
  };
}

function grantOf(...names: readonly string[]): Partial<Permissions> {
  return { secrets: names.map((name) => ({ name, hosts: ["api.example.com"], value: true })) };
}

function credential(key: Json, more: Record<string, Json> = {}): Json {
  return { credentials: { toolcell_test_myapi: { api_key: key, ...more } } };
}

afterEach(() => {
  delete process.env[VARIABLE];
});

test("the places are looked at in the order of the contract, and an empty value falls through", async () => {
  using places = makePlaces();
  process.env[VARIABLE] = "from the environment";
  assert.equal(await places.find(), "from the environment");
  places.shared({ [VARIABLE]: "from the shared file" });
  assert.equal(await places.find(), "from the shared file");
  await places.vault.set(VARIABLE, "from the vault");
  assert.equal(await places.find(), "from the vault");
  places.config(credential("from the config"));
  assert.equal(await places.find(), "from the config");
  for (const empty of ["", "  ", null]) {
    places.config(credential(empty));
    assert.equal(await places.find(), "from the vault");
  }
  await places.vault.remove(VARIABLE);
  places.shared({ [VARIABLE]: "" });
  assert.equal(await places.find(), "from the environment");
  process.env[VARIABLE] = " ";
  await assert.rejects(places.find(), { code: "NOT_CONFIGURED" });
});

test("another key of a credential stands beside its api_key, or among its keys", async () => {
  using places = makePlaces();
  const names = ["toolcell_test_myapi"];
  places.config(credential("the main key", { secret: "beside it", keys: { token: "among its keys" } }));
  assert.equal(await places.find({}, names), "the main key");
  assert.equal(await places.find({ keyName: "secret" }, names), "beside it");
  assert.equal(await places.find({ keyName: "token" }, names), "among its keys");
  await assert.rejects(places.find({ keyName: "keys" }, names), { code: "NOT_CONFIGURED" });
  await assert.rejects(places.find({ keyName: "constructor" }, names), { code: "NOT_CONFIGURED" });
});

test("without a value every place is named, as its owner knows it, and how to set it", async () => {
  using places = makePlaces();
  await assert.rejects(places.find(), (error: Error) => {
    assert.equal(
      error.message,
      'myapi_tool has no credential "toolcell_test_myapi" (api_key). Looked for in this order: ' +
        "credentials.toolcell_test_myapi.api_key in <home>/config.json; " +
        `${VARIABLE} in the encrypted vault (<home>/secrets.json); toolcell_test_myapi in the encrypted vault (<home>/secrets.json); ` +
        `${VARIABLE} in <home>/shared/credentials.json; the environment variable ${VARIABLE}. ` +
        `Its owner sets it with \`toolcell secret set ${VARIABLE}\`, or as { "credentials": { "toolcell_test_myapi": { "api_key": "..." } } } in ` +
        `<home>/config.json, as { "${VARIABLE}": "..." } in <home>/shared/credentials.json, or in the environment as ${VARIABLE}`,
    );
    assert.ok(!error.message.includes(places.home));
    return true;
  });
});

test("without the name of a variable the vault is asked by the credential's name, and nothing after it", async () => {
  using places = makePlaces();
  const asked = { envVar: null };
  process.env["toolcell_test_myapi"] = "from the environment";
  await assert.rejects(places.find(asked, ["toolcell_test_myapi"]), /names an `envVar` also finds it/u);
  await places.vault.set("toolcell_test_myapi", "from the vault");
  assert.equal(await places.find(asked, ["toolcell_test_myapi"]), "from the vault");
  delete process.env["toolcell_test_myapi"];
});

describe("only what is granted is looked at:", () => {
  test("nothing is granted", async () => {
    using places = makePlaces();
    process.env[VARIABLE] = "from the environment";
    const use = makeUse("tool", {});
    await assert.rejects(ask(places.secrets, use, "credential", ASKED), { code: "PERMISSION_DENIED", message: new RegExp(VARIABLE, "u") });
    assert.deepEqual(use.effects, [{ target: "toolcell_test_myapi", changes: false, state: "refused" }]);
  });

  test("a variable opens neither another credential nor another key of its own", async () => {
    using places = makePlaces();
    places.config({ credentials: { bank: { api_key: "the bank's key" }, toolcell_test_myapi: { secret: "another key of it" } } });
    process.env[VARIABLE] = "the variable's";
    assert.equal(await places.find({ credentialName: "bank" }), "the variable's");
    assert.equal(await places.find({ keyName: "secret" }), "the variable's");
    delete process.env[VARIABLE];
    await assert.rejects(places.find({ credentialName: "bank" }), /credentials\.bank\.api_key in <home>\/config\.json \(not looked at: /u);
  });

  test("a credential opens no variable but its own", async () => {
    using places = makePlaces();
    const names = ["toolcell_test_myapi"];
    process.env[VARIABLE] = "its own variable";
    assert.equal(await places.find({}, names), "its own variable");
    for (const envVar of ["PATH", "HOME", "TOOLCELL_TEST_MYAPISECRET"])
      await assert.rejects(places.find({ envVar }, names), new RegExp(`the environment variable ${envVar} \\(not looked at`, "u"));
  });

  test("a place that is not granted is not even read", async () => {
    using places = makePlaces();
    writeFiles(places.home, { "config.json": "{ damaged" });
    process.env[VARIABLE] = "the variable's";
    assert.equal(await places.find({ credentialName: "bank" }), "the variable's");
  });
});

describe("a place that cannot be read ends the search, and its words quote nothing of it:", () => {
  const SECRET = "sk-do-not-show-this";
  for (const [what, spoil, says] of [
    [
      "JSON with a comma too many",
      (home) => writeFiles(home, { "config.json": `{\n"credentials": { "a": "${SECRET}", } }` }),
      /config\.json is no valid JSON \(line 2 column \d+\): repair it/u,
    ],
    ["JSON that begins with the secret", (home) => writeFiles(home, { "config.json": SECRET }), /config\.json is no valid JSON/u],
    ["a list", (home) => writeFiles(home, { "config.json": `["${SECRET}"]` }), /config\.json is no JSON object/u],
    [
      "credentials that are none",
      (home) => writeFiles(home, { "config.json": `{"credentials":"${SECRET}"}` }),
      /`credentials` in <home>\/config\.json is no JSON object/u,
    ],
    [
      "a credential that is a text",
      (home) => writeFiles(home, { "config.json": `{"credentials":{"toolcell_test_myapi":"${SECRET}"}}` }),
      /is no JSON object/u,
    ],
    [
      "a value that is no text",
      (home) => writeFiles(home, { "config.json": JSON.stringify(credential([SECRET])) }),
      /api_key in <home>\/config\.json is no text/u,
    ],
    [
      "a link",
      (home) => (writeFiles(home, { other: "{}" }), symlinkSync("other", path.join(home, "config.json"))),
      /config\.json is no regular file/u,
    ],
    ["a folder", (home) => mkdirSync(path.join(home, "config.json")), /config\.json is no regular file/u],
    [
      "a file of megabytes",
      (home) => writeFiles(home, { "config.json": `{"a":"${"x".repeat(1024 * 1024)}"}` }),
      /config\.json is no regular file of at most/u,
    ],
    [
      "a damaged shared file",
      (home) => writeFiles(home, { "shared/credentials.json": `{${SECRET}` }),
      /shared\/credentials\.json is no valid JSON/u,
    ],
    ["a vault that is none", (home) => writeFileSync(path.join(home, "secrets.json"), `{"${SECRET}":1}`), /secrets\.json is damaged/u],
    [
      "a value too short to hide",
      (home) => writeFiles(home, { "config.json": JSON.stringify(credential("abc")) }),
      /fewer than 4 characters/u,
    ],
    ["a value with a NUL", (home) => writeFiles(home, { "config.json": JSON.stringify(credential("abc\0defgh")) }), /no well-formed text/u],
  ] as readonly [string, (home: string) => void, RegExp][]) {
    test(what, async () => {
      using places = makePlaces();
      process.env[VARIABLE] = "what must not be taken instead";
      spoil(places.home);
      await assert.rejects(places.find(), (error: Error & { code?: string }) => {
        assert.equal(error.code, "NOT_CONFIGURED");
        assert.match(error.message, says);
        assert.match(error.message, /^myapi_tool cannot be given the credential "toolcell_test_myapi"/u);
        assert.ok(!error.message.includes(places.home) && !error.message.includes(SECRET));
        return true;
      });
    });
  }

  test("a vault without its key, or whose key others can read", async () => {
    using places = makePlaces();
    await places.vault.set(VARIABLE, "from the vault");
    process.env[VARIABLE] = "what must not be taken instead";
    chmodSync(path.join(places.home, "secrets.key"), 0o644);
    await assert.rejects(places.find(), { code: "NOT_CONFIGURED", message: /secrets\.key can be read by others/u });
    rmSync(path.join(places.home, "secrets.key"));
    await assert.rejects(places.find(), { code: "NOT_CONFIGURED", message: /secrets\.key is gone/u });
  });
});

describe("what stands for a credential", () => {
  const target = (permissions: Partial<Permissions>, host = "api.example.com") => ({
    capability: "tool",
    host,
    port: 443,
    isDefaultPort: true,
    permissions: { ...NO_PERMISSIONS, ...permissions },
  });

  test("is given in place of the value unless the grant says otherwise, and goes to the granted hosts alone", async () => {
    using places = makePlaces();
    const { secrets } = places;
    const permissions = { secrets: [{ name: VARIABLE, hosts: ["api.example.com"] }] };
    process.env[VARIABLE] = "from the environment";
    const standIn = (await ask(secrets, makeUse("tool", permissions), "credential", ASKED)) as string;
    assert.match(standIn, STAND_IN);
    assert.equal(secrets.inject(`Bearer ${standIn}`, target(permissions)), "Bearer from the environment");
    assert.throws(() => secrets.inject(standIn, target(permissions, "evil.example.com")), { code: "PERMISSION_DENIED" });
    assert.throws(() => secrets.inject(standIn, target({})), { code: "PERMISSION_DENIED" });
    assert.throws(() => secrets.inject(standIn, { ...target(permissions), capability: "other" }), { code: "PERMISSION_DENIED" });
    assert.equal(secrets.maskText("tool", "it came from the environment"), "it came [secret toolcell_test_myapi]");
  });

  test("is no good any more once its place says something else", async () => {
    using places = makePlaces();
    const { secrets } = places;
    const permissions = { secrets: [{ name: "toolcell_test_myapi", hosts: ["api.example.com"] }] };
    const find = async () => (await ask(secrets, makeUse("tool", permissions), "credential", ASKED)) as string;
    places.config(credential("the first value"));
    const first = await find();
    places.config(credential("the second one"));
    assert.throws(() => secrets.inject(first, target(permissions)), { code: "PERMISSION_DENIED", message: /stand-in/u });
    assert.equal(secrets.inject(await find(), target(permissions)), "the second one");
  });

  test("differs from place to place and from key to key", async () => {
    using places = makePlaces();
    const permissions = { secrets: [{ name: "toolcell_test_myapi", hosts: ["api.example.com"] }] };
    places.config(credential("the main key", { secret: "the other key" }));
    const find = (keyName: string) => ask(places.secrets, makeUse("tool", permissions), "credential", { ...ASKED, keyName });
    assert.notEqual(await find("api_key"), await find("secret"));
  });
});

test("a request in no form that there is is refused before anything is looked at", async () => {
  using places = makePlaces();
  for (const asked of [
    { credentialName: "../config" },
    { credentialName: "a b" },
    { credentialName: 7 },
    { toolName: "x\n[secret]" },
    { keyName: "a".repeat(65) },
    { envVar: "A-B" },
    { envVar: {} },
    { envVar: "PATH=" },
  ])
    await assert.rejects(places.find(asked), { code: "EINVAL" });
});
