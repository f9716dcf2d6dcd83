import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** A server on the loopback that speaks as much of three services as the tasks of their clients ask for. */
export interface Service extends AsyncDisposable {
  /** As a network permission names it. */
  readonly host: string;
  readonly url: string;
}

export async function startService(): Promise<Service> {
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { host, url: `http://${host}`, [Symbol.asyncDispose]: close };
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? "/", `http://${request.headers.host ?? "127.0.0.1"}`);
  const body = await text(request);
  if (/^\/(?:openai|anthropic)\//u.test(url.pathname) && request.headers.authorization !== "Bearer a-key") return json(response, 401, {});
  switch (`${request.method} ${url.pathname}`) {
    case "POST /openai/chat/completions":
      return complete(asked(body), response);
    case "POST /anthropic/v1/messages":
      return speak(asked(body), response);
    case "GET /github/repos/mia/tea/issues":
      return listIssues(url, response);
    case "GET /github/repos/mia/tea/contents/README.md":
      return json(response, 200, { type: "file", encoding: "base64", content: btoa("# Tea") });
    case "GET /echo/a":
    case "POST /echo/b":
    case "POST /echo/c":
      return echo(url, request, body, response);
    default:
      return json(response, 404, { message: "Not Found" });
  }
}

/** What the one message of a request to a model says. */
function asked(body: string): string {
  const { messages } = JSON.parse(body) as { messages: readonly { readonly content: string }[] };
  return messages[0]?.content ?? "";
}

function complete(content: string, response: ServerResponse): void {
  const chunk = (delta: object, finish: string | null): object => ({
    id: "c1",
    object: "chat.completion.chunk",
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  const call = { id: "t1", type: "function", function: { name: "brew", arguments: '{"minutes":3}' } };
  if (content === "stream")
    return stream(response, [
      ...["Green", " tea", " ☕"].map((part) => data(chunk({ content: part }, null))),
      data(chunk({}, "stop")),
      "data: [DONE]\n\n",
    ]);
  if (content === "tool")
    return json(response, 200, {
      id: "c2",
      object: "chat.completion",
      choices: [{ index: 0, finish_reason: "tool_calls", message: { role: "assistant", content: null, tool_calls: [call] } }],
    });
  json(response, 429, { error: { message: "Too many requests", type: "requests", code: "rate_limit_exceeded" } });
}

function speak(content: string, response: ServerResponse): void {
  const message = {
    id: "m1",
    type: "message",
    role: "assistant",
    model: "small",
    content: [],
    usage: { input_tokens: 3, output_tokens: 1 },
  };
  if (content === "stream")
    return stream(response, [
      event({ type: "message_start", message }),
      event({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
      ...["Green", " tea"].map((part) => event({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: part } })),
      event({ type: "content_block_stop", index: 0 }),
      event({ type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 7 } }),
      event({ type: "message_stop" }),
    ]);
  if (content === "tool")
    return json(response, 200, { ...message, content: [{ type: "tool_use", id: "t1", name: "brew", input: { minutes: 3 } }] });
  json(response, 429, { type: "error", error: { type: "rate_limit_error", message: "Too many requests" } });
}

function listIssues(url: URL, response: ServerResponse): void {
  const isSecond = url.searchParams.get("page") === "2";
  const titles = isSecond ? ["Too cold"] : ["Too hot", "Too weak"];
  if (!isSecond) response.setHeader("link", `<${url.origin}${url.pathname}?per_page=2&page=2>; rel="next"`);
  json(
    response,
    200,
    titles.map((title, index) => ({ number: index + 1, title })),
  );
}

function echo(url: URL, request: IncomingMessage, body: string, response: ServerResponse): void {
  const { "x-tool": tool, "x-intercepted": intercepted, "content-type": type } = request.headers;
  json(response, 200, { query: url.search, headers: [tool, intercepted], type, body });
}

function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(value));
}

/** One write a piece, so that a client gets them one after the other. */
function stream(response: ServerResponse, pieces: readonly string[]): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const piece of pieces) response.write(piece);
  response.end();
}

function event(value: { readonly type: string; readonly [name: string]: unknown }): string {
  return `event: ${value.type}\n${data(value)}`;
}

function data(value: object): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}
