/** The names and arguments of this module's tools: `my_tool_action` is what a model calls. */
export function getToolSchemas() {
  return [
    {
      name: "my_tool_action",
      description: "Process a text a number of times, and say what came of it.",
      input_schema: {
        type: "object",
        properties: {
          param1: { type: "string", description: "What to process." },
          param2: { type: "integer", description: "How often, at least once.", default: 10, minimum: 1 },
        },
        required: ["param1"],
      },
    },
  ];
}

/** Runs the tool of that name. The arguments fit its schema, with its defaults filled in. */
export function dispatch(name: string, args: { param1: string; param2: number }) {
  if (name === "my_tool_action") return action(args.param1, args.param2);
  throw new Error(`Unknown tool: ${name}`);
}

function action(param1: string, param2: number) {
  return { result: `Processed ${param1} with ${param2}` };
}
