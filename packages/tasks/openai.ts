import OpenAI from "openai";

export const NAME = "openai";
export const DESCRIPTION = "A completion streamed, one with a tool call, and an error of the service.";
export const INPUT_SCHEMA = { type: "object", properties: { service: { type: "string" } }, required: ["service"] };

export async function run(context: unknown, { service }: { service: string }) {
  const client = new OpenAI({ apiKey: "a-key", baseURL: `${service}/openai`, maxRetries: 0 });
  const ask = (content: string) => ({ model: "small", messages: [{ role: "user" as const, content }] });
  let streamed = "";
  for await (const chunk of await client.chat.completions.create({ ...ask("stream"), stream: true }))
    streamed += chunk.choices[0]?.delta.content ?? "";
  const { choices } = await client.chat.completions.create(ask("tool"));
  const [call] = choices[0].message.tool_calls ?? [];
  const failure = await client.chat.completions.create(ask("fail")).catch((error: unknown) => error);
  return {
    streamed,
    called: [call.function.name, JSON.parse(call.function.arguments)],
    failed: failure instanceof OpenAI.RateLimitError ? [failure.status, failure.code] : String(failure),
  };
}
