import { explanationOf, type MemoryAccount, type RecallHit, type RecallResult, type ScoreParts } from "@loci/loci";
import type { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { openedMemory } from "./opened-memory.ts";
import { outdatedAlone, outdatedField } from "./outdated-since.ts";
import { timeZoneOfComputer } from "./time-zone-parameter.ts";
import { runTool, type ToolEnvironment } from "./tool-environment.ts";
import { toolResult } from "./tool-result.ts";

const description = `Explain why recall gives a memory for a question, or leaves it out: its place and what its score is made \
of, or what kept it out and what would help. Use it when the user asks why something was or was not remembered.`;

const inputSchema = z.strictObject({
  id: z.string().describe("Of the memory."),
  query: z.string().describe("The question, as recall was asked."),
});

const outputSchema = z.object({
  id: z.string(),
  isRecalled: z.boolean(),
  place: z.number().optional().describe("Among what is recalled, from 1."),
  score: z.number().optional(),
  reason: z.string().optional().describe("What kept it out, such as BELOW_RELEVANCE_FLOOR."),
  inFavourOf: z.string().optional().describe("Id of the memory that it gave way to."),
  explanation: z.string(),
  outdated: outdatedField,
  parts: z.record(z.string(), z.number()).optional().describe("What the score is made of."),
});

/** Adds `why`: one memory, one question. Reading is not use: nothing counts as accessed. */
export function addWhyTool(server: McpServer, environment: ToolEnvironment): void {
  server.registerTool(
    "why",
    {
      title: "Explain a recall",
      description,
      annotations: { readOnlyHint: true, openWorldHint: false },
      inputSchema,
      outputSchema,
    },
    ({ id, query }, { mcpReq: { signal } }) =>
      runTool(environment, async (loci) => {
        const memory = await openedMemory(loci, environment, id, { signal });
        const { scopes } = environment;
        const timeZone = timeZoneOfComputer();
        const request = { query, scopes, timeZone, explain: true, also: [memory.id] };
        const result = await loci.recall(request, { signal });
        const hit = result.hits.find((each) => each.memory.id === memory.id);
        if (hit === undefined) return toolResult({ id: memory.id, ...keptOut(result) });
        const outdated = await outdatedAlone(loci, hit, { signal });
        return toolResult({ id: memory.id, ...foundAs(result, hit), ...outdated });
      }),
  );
}

function foundAs({ hits, usedFallback }: RecallResult, hit: RecallHit): Record<string, unknown> {
  const position = hits.indexOf(hit);
  const how = {
    relevance: `It answers the question: its relevance is ${rounded(hit.parts.relevance)} of 1.`,
    tag: "It has a tag that the question or a tool names.",
    time: "It was made at the time that the question names.",
    recent: "Nothing answers the question, and it is among the newest.",
  }[usedFallback ? "recent" : hit.foundBy];
  return {
    isRecalled: true,
    place: position + 1,
    score: rounded(hit.score),
    explanation: `Place ${position + 1} of ${hits.length}. ${how}`,
    parts: partsOf(hit.parts),
  };
}

function keptOut({ accounts: [account] = [] }: RecallResult): Record<string, unknown> {
  if (account === undefined) return {};
  const { reason, inFavourOf, score, parts } = account;
  return {
    isRecalled: false,
    ...(reason === undefined ? {} : { reason }),
    ...(inFavourOf === undefined ? {} : { inFavourOf }),
    ...(score === undefined ? {} : { score: rounded(score) }),
    explanation: explained(account),
    ...(parts === undefined ? {} : { parts: partsOf(parts) }),
  };
}

function explained({ reason = "NOT_A_CANDIDATE", closeness, floor, inFavourOf }: MemoryAccount): string {
  const { says, helps } = explanationOf(reason) ?? { says: `was left out (${reason})` };
  const how =
    closeness === undefined || floor === undefined
      ? ""
      : `: ${rounded(closeness)} of 1, where it takes ${rounded(floor)}`;
  const other = inFavourOf === undefined ? "" : `, which is ${inFavourOf}`;
  return [`It ${says}${how}${other}.`, helps].filter((sentence) => sentence !== undefined).join(" ");
}

function partsOf(parts: ScoreParts): Record<string, number> {
  return Object.fromEntries(
    Object.entries(parts).flatMap(([name, value]) => (typeof value === "number" ? [[name, rounded(value)]] : [])),
  );
}

function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
