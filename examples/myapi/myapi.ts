import { getCredential, ToolError } from "toolcell/tool";

const SERVICE = "http://127.0.0.1:8766";

/** What its owner is asked for: one service, and one key that is sent to that service and to no other. */
export const PERMISSIONS = {
  network: ["127.0.0.1:8766"],
  secrets: [{ name: "MYAPI_KEY", hosts: ["127.0.0.1:8766"] }],
  reason: { network: "The service whose data this is.", secrets: "The key that the service wants." },
};

/** How long each action takes, and which of them may run in the background. */
export const EXECUTION_PROFILE = {
  query: { expected_seconds: 2, background_eligible: true, retry_safe: true },
  post: { expected_seconds: 2, background_eligible: false },
};

export function getToolSchemas() {
  return [
    {
      name: "myapi_query",
      description: "Send a query to the API and get what it finds.",
      input_schema: {
        type: "object",
        properties: {
          query: { type: "string", description: "What to search for." },
          limit: { type: "integer", description: "The most results.", default: 10, minimum: 1, maximum: 100 },
        },
        required: ["query"],
      },
    },
    {
      name: "myapi_post",
      description: "Send data to the API.",
      input_schema: {
        type: "object",
        properties: { data: { type: "string", description: "What to send." } },
        required: ["data"],
      },
    },
  ];
}

export async function dispatch(name: string, args: { query: string; limit: number; data: string }) {
  if (name === "myapi_query") return await query(args.query, args.limit);
  if (name === "myapi_post") return await post(args.data);
  throw new Error(`Unknown tool: ${name}`);
}

async function query(words: string, limit: number) {
  const url = new URL("/search", SERVICE);
  url.searchParams.set("q", words);
  url.searchParams.set("limit", String(limit));
  const { results } = (await request(url)) as { results: unknown[] };
  return results;
}

async function post(data: string) {
  return await request(new URL("/data", SERVICE), { method: "POST", body: JSON.stringify({ data }) });
}

/** The key is never in this module's hands: the host puts it in on the way to the service. */
async function request(url: URL, options: { method?: string; body?: string } = {}) {
  const key = await getCredential({ credentialName: "myapi", toolName: "myapi_tool", envVar: "MYAPI_KEY" });
  const response = await fetch(url, {
    ...options,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    signal: AbortSignal.timeout(30_000),
  });
  if (response.status === 401) throw new ToolError('The API does not take the key: its owner looks at the credential "myapi".');
  if (!response.ok) throw new ToolError(`The API answered ${response.status}: try again later.`, { retryable: response.status >= 500 });
  return (await response.json()) as unknown;
}
