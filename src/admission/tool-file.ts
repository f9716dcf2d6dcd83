import type { JsonObject } from "../catalogue/json.ts";
import { ADMISSION } from "../catalogue/texts.ts";
import { readBindings, type Bindings } from "./bindings.ts";
import { FileFault } from "./faults.ts";
import type { AdmissionLimits } from "./limits.ts";
import { readConstant, type Constant } from "./literals.ts";
import { nameOfNode } from "./node-names.ts";
import { parseSource } from "./parse.ts";
import { assertProfile, NO_PROFILE } from "./profile.ts";
import type { ToolProfile } from "./record.ts";
import { assertInputSchema } from "./schema.ts";
import type { SourceFile } from "./source-file.ts";
import { isToolName } from "./tool-name.ts";
import { compileValidators, type Validators } from "./validators.ts";
import { assertVisibleText, quotable } from "./visible-text.ts";

/** A tool as its file declares it, with the code that will check its arguments in the cell. */
export interface ToolDeclaration {
  readonly name: string;
  readonly nameLine: number;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly validators: Validators;
  readonly profile: ToolProfile;
}

const NO_ARGUMENTS: JsonObject = { type: "object", properties: {}, additionalProperties: false };

/** Reads one tool file. Throws FileFault for the first thing that is wrong with it. */
export function readToolFile(source: SourceFile, limits: AdmissionLimits): ToolDeclaration {
  const program = parseSource(source.file, source.bytes);
  if (program.body.length === 0) throw new FileFault(ADMISSION.empty);
  const bindings = readBindings(program);
  const nameConstant = readRequired(bindings, "NAME", limits);
  const name = assertToolName(nameConstant);
  const description = assertVisibleText("DESCRIPTION", readRequired(bindings, "DESCRIPTION", limits), limits.descriptionChars);
  const inputSchema = readInputSchema(bindings, limits);
  const profile = readConstant(bindings, "EXECUTION_PROFILE", limits);
  assertRun(bindings);
  return {
    name,
    nameLine: nameConstant.line,
    description,
    ...inputSchema,
    profile: profile === null ? NO_PROFILE : assertProfile(profile.value, profile.line),
  };
}

function readRequired(bindings: Bindings, name: string, limits: AdmissionLimits): Constant {
  const constant = readConstant(bindings, name, limits);
  if (constant === null) throw new FileFault(ADMISSION.missing(name));
  return constant;
}

function assertToolName({ value, line }: Constant): string {
  if (typeof value !== "string") throw new FileFault(ADMISSION.wrongType("NAME", "a string"), line);
  if (!isToolName(value)) throw new FileFault(ADMISSION.toolName(quotable(value)), line);
  return value;
}

function readInputSchema(bindings: Bindings, limits: AdmissionLimits): Pick<ToolDeclaration, "inputSchema" | "validators"> {
  const constant = readConstant(bindings, "INPUT_SCHEMA", limits);
  try {
    const schema = assertInputSchema(constant === null ? NO_ARGUMENTS : constant.value, limits);
    return { inputSchema: schema.inputSchema, validators: compileValidators(schema) };
  } catch (error) {
    if (error instanceof FileFault && constant !== null) throw new FileFault(error.message, constant.line);
    throw error;
  }
}

/** `run` may come from another file of the folder: nothing about it is read but that it is there. */
function assertRun({ declared, exported }: Bindings): void {
  const run = exported.get("run");
  if (run === undefined) throw new FileFault(ADMISSION.runMissing);
  if (run.local === null) return;
  const binding = declared.get(run.local);
  if (binding === undefined) throw new FileFault(ADMISSION.runMissing, run.line);
  const value = binding.init;
  if (value !== null && (value.type.endsWith("Literal") || value.type === "ObjectExpression" || value.type === "ArrayExpression")) {
    throw new FileFault(ADMISSION.runNotFunction(nameOfLiteral(value.type)), binding.line);
  }
}

function nameOfLiteral(type: string): string {
  const names: Readonly<Record<string, string>> = {
    StringLiteral: "a string",
    TemplateLiteral: "a string",
    NumericLiteral: "a number",
    BooleanLiteral: "a boolean",
    NullLiteral: "null",
    ObjectExpression: "an object",
    ArrayExpression: "an array",
  };
  return names[type] ?? nameOfNode(type);
}
