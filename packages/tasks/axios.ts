import axios from "axios";

export const NAME = "axios";
export const DESCRIPTION = "Query, headers and JSON sent and answered, an interceptor, a form, and an error's status.";
export const INPUT_SCHEMA = { type: "object", properties: { service: { type: "string" } }, required: ["service"] };

export async function run(context: unknown, { service }: { service: string }) {
  const client = axios.create({ baseURL: `${service}/echo`, headers: { "x-tool": "tea" } });
  client.interceptors.request.use((config) => {
    config.headers.set("x-intercepted", "yes");
    return config;
  });
  const got = await client.get("/a", { params: { q: "1 & 2", list: [1, 2] } });
  const posted = await client.post("/b", { name: "Mia" });
  const form = await client.post("/c", new URLSearchParams({ a: "1", b: "ü" }));
  const missing = await client.get("/missing").catch((error: unknown) => (axios.isAxiosError(error) ? error.response?.status : error));
  const { query, headers } = got.data;
  return { query, headers, posted: posted.data.body, form: [form.data.type, form.data.body], missing };
}
