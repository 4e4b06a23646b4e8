import { type ConversationSummary, summaryListLimits } from "@loci/core";
import { isPlainObject } from "@loci/domain";
import { parseJsonReply, type ReplySchema } from "@loci/language-model";

const longestOverview = 2_000;
const longestEntry = 400;

function listSchema(description: string): Readonly<Record<string, unknown>> {
  return { type: "array", items: { type: "string" }, description };
}

/** What a model is asked for. Nothing in it is optional, as servers with strict schemas demand. */
export const summarySchema: ReplySchema = {
  name: "conversation_summary",
  schema: {
    type: "object",
    additionalProperties: false,
    required: ["overview", "keyDecisions", "currentTaskState", "remainingQuestions", "toolsUsed", "filesModified"],
    properties: {
      overview: { type: "string", description: "What was accomplished, in 3 to 5 sentences." },
      keyDecisions: listSchema("Decisions that were made, one sentence each, at most 10."),
      currentTaskState: { type: "string", description: "Where the current task stands, in one or two sentences." },
      remainingQuestions: listSchema("Questions that are still open, at most 10."),
      toolsUsed: listSchema("Names of the tools that were called."),
      filesModified: listSchema("Paths of the files that were created or changed."),
    },
  },
};

/**
 * Reads and checks what a model has answered. Its fields must all be there and be of their types; of a list that is too
 * long, the first entries are taken.
 *
 * @returns `undefined` for anything else: nothing of it may be used
 */
export function readSummary(reply: string): ConversationSummary | undefined {
  const value = parseJsonReply(reply);
  if (!isPlainObject(value)) return undefined;
  const overview = textOf(value["overview"], longestOverview);
  const currentTaskState = textOf(value["currentTaskState"], longestEntry * 2);
  const keyDecisions = listOf(value["keyDecisions"], summaryListLimits.keyDecisions);
  const remainingQuestions = listOf(value["remainingQuestions"], summaryListLimits.remainingQuestions);
  const toolsUsed = listOf(value["toolsUsed"], summaryListLimits.toolsUsed);
  const filesModified = listOf(value["filesModified"], summaryListLimits.filesModified);
  if (
    overview === undefined ||
    overview.trim() === "" ||
    currentTaskState === undefined ||
    keyDecisions === undefined ||
    remainingQuestions === undefined ||
    toolsUsed === undefined ||
    filesModified === undefined
  )
    return undefined;
  return { overview, keyDecisions, currentTaskState, remainingQuestions, toolsUsed, filesModified };
}

function textOf(value: unknown, longest: number): string | undefined {
  return typeof value === "string" && value.length <= longest ? value.toWellFormed() : undefined;
}

function listOf(value: unknown, most: number): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const entries = value.slice(0, most).map((entry: unknown) => textOf(entry, longestEntry));
  return entries.every((entry) => entry !== undefined) ? entries : undefined;
}
