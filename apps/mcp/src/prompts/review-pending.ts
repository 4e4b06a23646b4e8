import { type Loci, shownText } from "@loci/loci";
import type { McpServer } from "@modelcontextprotocol/server";
import { readLoci } from "../connection/read-loci.ts";
import { blockOwners } from "../tools/block-owners.ts";
import type { ToolEnvironment } from "../tools/tool-environment.ts";
import { asData, dataNotice } from "../tools/tool-result.ts";
import { personMessage } from "./person-message.ts";

/** Adds `review_pending`: what waits for a decision, explained. The person decides, by a form or a command, and a model never. */
export function addReviewPendingPrompt(server: McpServer, environment: ToolEnvironment): void {
  server.registerPrompt(
    "review_pending",
    {
      title: "Review what waits",
      description: "Explains the memories and changes of blocks that wait for your decision.",
    },
    ({ mcpReq: { signal } }) =>
      readLoci(environment, async (loci) => {
        const waiting = [
          ...(await waitingMemories(loci, environment, signal)),
          ...(await waitingEdits(loci, environment, signal)),
        ];
        if (waiting.length === 0) return personMessage("Tell me that nothing waits for my decision.");
        return personMessage(
          `Explain to me in short what each of these would change, and what speaks for and against it. I decide myself: in the form that the tool review shows me, if I ask you to call it, or by the command that stands with it, which you do not run for me.\n\n${[dataNotice, ...waiting].join("\n")}`,
        );
      }),
  );
}

async function waitingMemories(
  loci: Loci,
  { scopes }: ToolEnvironment,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { reviews } = await loci.captures.reviews.list({ scopes }, { signal });
  return reviews.map(({ id, reason, replaces, memory }) =>
    JSON.stringify({
      command: `loci capture approve ${id} --etag ${memory.etag} (or reject)`,
      reason,
      category: asData(memory.category),
      origin: memory.origin,
      trust: memory.trust,
      text: asData(memory.text),
      ...(replaces === undefined ? {} : { replaces }),
    }),
  );
}

async function waitingEdits(loci: Loci, { scopes }: ToolEnvironment, signal: AbortSignal): Promise<readonly string[]> {
  const lists = await Promise.all(
    blockOwners(scopes).map(async (owner) => (await loci.blocks.listEdits({ owner }, { signal })).edits),
  );
  const details = await Promise.all(lists.flat().map(({ id }) => loci.blocks.getEdit({ id }, { signal })));
  return details.map(({ edit, preview, conflict }) =>
    asData(
      JSON.stringify({
        command: `loci blocks approve ${edit.id} (or reject)`,
        block: `${edit.owner} ${edit.label}`,
        proposer: edit.proposer,
        reason: edit.reason,
        changes: preview?.diff,
        ...(conflict === undefined ? {} : { conflict: shownText(conflict, 500) }),
      }),
    ),
  );
}
