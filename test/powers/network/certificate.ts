import { createSign, generateKeyPairSync, randomBytes } from "node:crypto";

/** A certificate that signs itself, for these names and addresses, made on the spot: DER by hand, PEM out. */
export function makeCertificate({
  names = [],
  addresses = [],
}: {
  readonly names?: readonly string[];
  readonly addresses?: readonly string[];
}): {
  readonly key: string;
  readonly cert: string;
} {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const algorithm = der(0x30, der(0x06, Buffer.from("2a8648ce3d040302", "hex")));
  const subject = der(0x30, der(0x31, der(0x30, der(0x06, Buffer.from("550403", "hex")), der(0x0c, Buffer.from("toolcell test")))));
  const validity = der(0x30, der(0x17, Buffer.from("240101000000Z")), der(0x17, Buffer.from("491231235959Z")));
  const alternatives = der(
    0x30,
    ...names.map((name) => der(0x82, Buffer.from(name))),
    ...addresses.map((address) => der(0x87, Buffer.from(address.split(".").map(Number)))),
  );
  const isAuthority = extension("551d13", true, der(0x30, der(0x01, Buffer.from([0xff]))));
  const extensions = der(0xa3, der(0x30, isAuthority, extension("551d11", false, alternatives)));
  const body = der(
    0x30,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    subject,
    validity,
    subject,
    publicKey.export({ type: "spki", format: "der" }),
    extensions,
  );
  const signature = createSign("sha256").update(body).sign(privateKey);
  const certificate = der(0x30, body, algorithm, der(0x03, Buffer.from([0]), signature));
  const lines = certificate.toString("base64").replaceAll(/.{1,64}/gu, "$&\n");
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}-----END CERTIFICATE-----\n`,
  };
}

function extension(identifier: string, isCritical: boolean, value: Buffer): Buffer {
  const critical = isCritical ? [der(0x01, Buffer.from([0xff]))] : [];
  return der(0x30, der(0x06, Buffer.from(identifier, "hex")), ...critical, der(0x04, value));
}

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const head = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...head]), content]);
}
