import { ADAPTER } from "../../../src/catalogue/texts.ts";
import { ToolError } from "../../tool-error.ts";
import { valueOf } from "./package-export.ts";
import { toInputSchema } from "./package-schema.ts";
import { toTool, type PackageTool } from "./package-tool.ts";
import { toPlain, type About, type Listed, type ListingAbout, type Served, type ServingAbout } from "./shared.ts";

const NAME_CHARS = 200;

/** What a package's entry offers: one tool, or the reason for which it is none. */
export async function list(entry: object, about: ListingAbout): Promise<Listed> {
  const found = find(entry, about);
  if (typeof found === "string") return { tools: [], faults: [{ name: null, reason: found }] };
  const { name, description, schema, profile } = found;
  if (typeof description !== "string" || description.trim() === "") throw new ToolError(ADAPTER.noDescription);
  const plain = toPlain(await toInputSchema(schema));
  if (plain === null) throw new ToolError(ADAPTER.notJson(typeof schema));
  if (plain.chars > about.schemaBytes) throw new ToolError(ADAPTER.tooLarge(about.schemaBytes));
  const listed = {
    // An AI SDK tool has no name of its own: it is called what it is registered as.
    name: name === null ? about.key : name.slice(0, NAME_CHARS),
    description: description.slice(0, about.descriptionChars + 1),
    inputSchema: plain.value,
    profile,
  };
  return { tools: [listed], faults: [] };
}

/** Runs it as the library that it was made with runs it, its own check of the arguments included. */
export function serve(entry: object, about: ServingAbout): Served {
  const found = find(entry, about);
  if (typeof found === "string") throw new ToolError(found);
  return { run: found.run, unload: found.unload };
}

function find(entry: object, { key, exportName }: About): PackageTool | string {
  const value = valueOf(entry, exportName);
  return typeof value === "string" ? value : toTool(value.value, exportName ?? key);
}
