/** A module of Node's own library, which the build takes from the Node that runs it. */
declare module "nodelib:*" {
  const library: Readonly<Record<string, unknown>>;
  export = library;
}

declare module "readable-stream" {
  const stream: Readonly<Record<string, unknown>>;
  export = stream;
}

declare module "readable-stream/*" {
  const part: Readonly<Record<string, unknown>>;
  export = part;
}
