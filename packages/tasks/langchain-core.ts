import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { ChatPromptTemplate } from "@langchain/core/prompts";
import { RunnableLambda } from "@langchain/core/runnables";
import { tool } from "@langchain/core/tools";
import { z } from "zod";

export const NAME = "langchain_core";
export const DESCRIPTION = "A tool with a zod schema run and refused, a prompt filled, and a chain streamed with a callback.";

const add = tool(({ a, b }) => String(a + b), { name: "add", description: "Adds.", schema: z.object({ a: z.number(), b: z.number() }) });

export async function run() {
  const isRefused = await add.invoke({ a: "one", b: 2 }).catch((error: Error) => /did not match/u.test(error.message));
  const message = await add.invoke({ type: "tool_call", id: "1", name: "add", args: { a: 2, b: 40 } });
  const prompt = ChatPromptTemplate.fromMessages([["system", "You brew {what}."], new HumanMessage("Hi")]);
  const started: string[] = [];
  const chain = prompt.pipe(new RunnableLambda({ func: ({ messages }) => new AIMessage(`${messages[0].content} Yes.`) }));
  const answer = await chain.invoke({ what: "tea" }, { callbacks: [{ handleChainStart: () => void started.push("start") }] });
  return {
    sum: await add.invoke({ a: 1, b: 2 }),
    isRefused,
    message: [message.content, message.tool_call_id],
    answer: answer.content,
    started: started.length > 0,
  };
}
