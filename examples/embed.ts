import { createEngine } from "toolcell";

await using engine = await createEngine();

// What a model is told of each tool.
const tools = engine.tools().map(({ name, description, inputSchema }) => ({ name, description, input_schema: inputSchema }));
console.log(`${tools.length} tools`);

// What a model asked for, and what it reads: on failure as on success.
const outcome = await engine.call("text_stats", { text: "a b c", top: 0 }, { timeoutMs: 5000, resultLimit: 8000 });
console.log(outcome.text);
