import type { Json, JsonObject } from "../catalogue/json.ts";
import { ToolCreationError } from "../catalogue/faults.ts";
import { CREATION } from "../catalogue/texts.ts";
import { PowerError } from "../powers/power.ts";
import type { MakerOp, ToolMaker } from "../powers/tools/tools.ts";
import type { ToolCreation } from "./tool-creation.ts";

/** The shipped capability whose tools write and share tools. There is none of it where there is no agent. */
const CREATION_CAPABILITY = "tool_creation";

/** What that capability asks of the engine. */
export function createToolMaker(creation: () => ToolCreation): ToolMaker {
  return {
    capability: CREATION_CAPABILITY,
    make: async (op, args) => {
      try {
        return toJson(await act(creation(), op, args));
      } catch (error) {
        throw error instanceof ToolCreationError ? new PowerError(error.code, error.message) : error;
      }
    },
  };
}

async function act(creation: ToolCreation, op: MakerOp, { tool_name: name, code, overwrite }: JsonObject): Promise<unknown> {
  switch (op) {
    case "write":
      if (overwrite !== undefined && typeof overwrite !== "boolean") throw new PowerError("EINVAL", CREATION.malformed("overwrite"));
      return await creation.write(name, code, { overwrite: overwrite === true });
    case "share":
      return await creation.share(name);
    case "refresh":
      return await creation.refresh();
  }
}

function toJson(value: unknown): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}
