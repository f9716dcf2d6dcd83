import Anthropic from "@anthropic-ai/sdk";

export const NAME = "anthropic_ai_sdk";
export const DESCRIPTION = "A message streamed and gathered, one that uses a tool, and an error of the service.";
export const INPUT_SCHEMA = { type: "object", properties: { service: { type: "string" } }, required: ["service"] };

export async function run(context: unknown, { service }: { service: string }) {
  const client = new Anthropic({ apiKey: "a-key", baseURL: `${service}/anthropic`, maxRetries: 0 });
  const ask = (content: string) => ({ model: "small", max_tokens: 64, messages: [{ role: "user" as const, content }] });
  const pieces: string[] = [];
  const stream = client.messages.stream(ask("stream")).on("text", (piece) => pieces.push(piece));
  const final = await stream.finalMessage();
  const used = await client.messages.create(ask("tool"));
  const failure = await client.messages.create(ask("fail")).catch((error: unknown) => error);
  return {
    pieces,
    tokens: final.usage.output_tokens,
    used: used.content.map((block) => (block.type === "tool_use" ? [block.name, block.input] : block.type)),
    failed: failure instanceof Anthropic.RateLimitError ? failure.status : String(failure),
  };
}
