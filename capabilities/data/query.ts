import { ToolError, type ToolContext, type ToolResult } from "toolcell/tool";
import { evaluateQuery } from "./_jmespath.ts";
import { isJsonObject, isList, toBoundedJson, type JsonValue } from "./_json.ts";

export const NAME = "data_query";
export const DESCRIPTION =
  "Ask a question of JSON with a JMESPath expression: pick fields, filter, project, sort and add up, such as " +
  '"orders[?total > `100`].{id: id, total: total} | sort_by(@, &total)". Numbers and literals stand in backticks.';
export const INPUT_SCHEMA = {
  type: "object",
  properties: {
    json: { type: ["string", "object", "array"], description: "The data: JSON text, or the value itself." },
    query: { type: "string", minLength: 1, maxLength: 4000, description: "A JMESPath expression." },
  },
  required: ["json", "query"],
  additionalProperties: false,
} as const;

interface Args {
  readonly json: JsonValue;
  readonly query: string;
}

export function run(_context: ToolContext, { json, query }: Args): ToolResult {
  const result = evaluateQuery(typeof json === "string" ? parse(json) : json, query);
  const compact = toBoundedJson(result);
  const text = compact.length > 2000 ? compact : toBoundedJson(result, 2);
  return { text, summary: describe(result), payload: { result } };
}

function parse(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue; // JSON.parse gives nothing but JSON values.
  } catch (error) {
    throw new ToolError(
      `"json" is not JSON: ${error instanceof Error ? error.message : String(error)}. Give valid JSON text, or the value itself.`,
    );
  }
}

function describe(result: JsonValue): string {
  if (result === null) return "Nothing matches";
  if (isList(result)) return `A list of ${result.length}`;
  return isJsonObject(result) ? `An object of ${Object.keys(result).length} keys` : `One ${typeof result}`;
}
