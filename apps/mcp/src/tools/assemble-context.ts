import { type AssembledContext, formatReceipt, LociError, type WindowOverrides } from "@loci/loci";
import type { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { resourceUri } from "../resources/resource-uri.ts";
import { blockOwners } from "./block-owners.ts";
import { contextLayout } from "./context-layout.ts";
import { perEnvironment } from "./per-environment.ts";
import { readScopes, readScopesParameter } from "./scope-parameters.ts";
import { timeZoneOfComputer, timeZoneParameter } from "./time-zone-parameter.ts";
import { runTool, type ToolEnvironment } from "./tool-environment.ts";
import { toolResult } from "./tool-result.ts";
import { warningForModel } from "./warning-advice.ts";

const description = `Build the whole context for one call of a model, such as a sub-agent's: system text, project, task, \
conversation, blocks, the memories that answer the query, and the query, cut to a token budget. To know something yourself, \
use recall. Everything inside <knowledge>, <procedures> and <history> is remembered data, with the days it was said.`;

/** Of how many owners a context shows blocks: the first of the scopes. */
const mostOwners = 16;

const inputSchema = perEnvironment(({ scopes }) =>
  z.strictObject({
    query: z.string().optional().describe("What the model is asked. Default: the latest message of the user."),
    system: z.string().optional().describe("The model's instructions. Never cut."),
    project: z.string().optional(),
    task: z.string().optional().describe("What is worked on."),
    messages: z
      .array(z.strictObject({ role: z.enum(["system", "user", "assistant"]), content: z.string() }))
      .optional()
      .describe("The conversation so far, oldest first."),
    model: z.string().optional().describe("The model that will read it, such as gpt-4o."),
    maxTokens: z.number().optional().describe("At most, for the whole window. Default: what the model takes, else 8K."),
    timeZone: timeZoneParameter,
    scopes: readScopesParameter(scopes),
  }),
);

const outputSchema = z.object({
  text: z.string(),
  totalTokens: z.number(),
  budgetTokens: z.number(),
  sections: z.array(z.object({ name: z.string(), tokens: z.number() })),
  receipt: z.string().describe("Resource that says what went in, what did not, and why."),
  warnings: z.array(z.object({ reason: z.string(), message: z.string(), advice: z.string() })),
});

/** Adds `assemble_context`. The memories that are kept in the context count as used. */
export function addAssembleContextTool(server: McpServer, environment: ToolEnvironment): void {
  server.registerTool(
    "assemble_context",
    {
      title: "Assemble context",
      description,
      annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
      inputSchema: inputSchema(environment),
      outputSchema,
    },
    ({ scopes: named, maxTokens, timeZone = timeZoneOfComputer(), ...request }, { mcpReq: { signal } }) =>
      runTool(environment, async (loci) => {
        const scopes = readScopes(environment, named);
        const owners = blockOwners(scopes).slice(0, mostOwners);
        const layout = await contextLayout(loci, owners, { signal });
        const assembleIn = (window: WindowOverrides | undefined): Promise<AssembledContext> =>
          loci.assemble(
            {
              ...request,
              timeZone,
              // As recall does: the model that reads it knows neither what day it is nor how old a memory is.
              memoryDates: true,
              layout,
              blockOwners: owners.length === 0 ? undefined : owners,
              recall: { scopes },
              window,
            },
            { signal },
          );
        const context = await assembleWithin(maxTokens, assembleIn).catch((error: unknown) => {
          throw forModel(error);
        });
        const receipt = resourceUri("receipt", environment.receipts.keep(formatReceipt(context), context.receiptId));
        return toolResult({ ...describeContext(context), receipt }, context.text, warningNotes(context));
      }),
  );
}

/**
 * All parts in proportion, so that a large window holds many memories. Where something that is never cut is longer than its share of a
 * small window, it may take what the others leave.
 */
async function assembleWithin(
  maxTokens: number | undefined,
  assembleIn: (window: WindowOverrides | undefined) => Promise<AssembledContext>,
): Promise<AssembledContext> {
  if (maxTokens === undefined) return assembleIn(undefined);
  try {
    return await assembleIn({ scaleTo: maxTokens });
  } catch (error) {
    if (!LociError.is(error) || error.reason !== "SECTION_OVER_BUDGET") throw error;
    return assembleIn({ maxTokens });
  }
}

/** Of the sizes a model sets only that of the window. */
function forModel(error: unknown): unknown {
  if (!LociError.is(error) || error.reason !== "SECTION_OVER_BUDGET") return error;
  return new LociError(error.reason, {
    ...error.toJSON(),
    advice:
      "Pass more maxTokens, or leave it out. If that does not help, the text or block of that name must be shorter.",
    cause: error,
  });
}

/** Many programs show a model the text of a result alone. */
function warningNotes({ warnings }: AssembledContext): readonly string[] {
  if (warnings.length === 0) return [];
  const lines = warnings.map(warningForModel).map(({ reason, message, advice }) => `- ${reason}: ${message} ${advice}`);
  return [["About this context, and no part of it:", ...lines].join("\n")];
}

function describeContext({ text, usage, sections, warnings }: AssembledContext): Record<string, unknown> {
  return {
    text,
    totalTokens: usage.totalTokens,
    budgetTokens: usage.budgetTokens,
    sections: sections.map(({ name, tokens }) => ({ name, tokens })),
    warnings: warnings.map(warningForModel),
  };
}
