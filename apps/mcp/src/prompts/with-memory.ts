import { heldInstead } from "@loci/loci";
import type { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { readLoci } from "../connection/read-loci.ts";
import { shownMemories } from "../resources/shown-memories.ts";
import { insteadBytes, outdatedSince } from "../tools/outdated-since.ts";
import type { ToolEnvironment } from "../tools/tool-environment.ts";
import { personMessage } from "./person-message.ts";

/** Of all texts together: the person asks a question, and did not ask for documents. */
const maxTokens = 1_500;

/** Adds `with_memory`: a question with what is remembered about it. Reading is not use: nothing counts as accessed. */
export function addWithMemoryPrompt(server: McpServer, environment: ToolEnvironment): void {
  server.registerPrompt(
    "with_memory",
    {
      title: "Ask with memory",
      description: "A question, with what was remembered in earlier sessions and answers it.",
      argsSchema: z.object({ question: z.string().describe("In natural language.") }),
    },
    ({ question }, { mcpReq: { signal } }) =>
      readLoci(environment, async (loci) => {
        const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
        const { hits, usedFallback } = await loci.recall(
          { query: question, scopes: environment.scopes, timeZone, maxTokens },
          { signal },
        );
        const instead = await heldInstead(loci.memories, hits, insteadBytes, { signal });
        const known = hits.map((hit) => ({ ...hit.memory, text: hit.text, ...outdatedSince(hit, instead) }));
        const newest = usedFallback ? "Nothing was found by what the question says: these are the newest.\n" : "";
        return personMessage(known.length === 0 ? question : `${newest}${shownMemories(known)}\n\n${question}`);
      }),
  );
}
