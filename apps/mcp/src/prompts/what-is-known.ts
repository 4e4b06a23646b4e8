import { completable } from "@modelcontextprotocol/server";
import type { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { readLoci } from "../connection/read-loci.ts";
import { shownMemories } from "../resources/shown-memories.ts";
import { readScopes } from "../tools/scope-parameters.ts";
import type { ToolEnvironment } from "../tools/tool-environment.ts";
import { personMessage } from "./person-message.ts";

/** The newest: enough to see what kind of thing is known. */
const shown = 100;

/** Adds `what_is_known`: what is remembered, told to the person whom it is about. */
export function addWhatIsKnownPrompt(server: McpServer, environment: ToolEnvironment): void {
  const { scopes } = environment;
  const opened = (beginning: string | undefined): string[] =>
    scopes.filter((scope) => scope.startsWith(beginning ?? ""));
  server.registerPrompt(
    "what_is_known",
    {
      title: "What is known?",
      description: "Tells what is remembered, and what of it may be wrong or over.",
      argsSchema: z.object({
        scope: completable(z.string().describe(`One of ${scopes.join(", ")}. Default: all.`), opened).optional(),
      }),
    },
    ({ scope }, { mcpReq: { signal } }) =>
      readLoci(environment, async (loci) => {
        const named = readScopes(environment, scope === undefined || scope === "" ? undefined : [scope]);
        const page = await loci.memories.list({ scopes: named, pageSize: shown }, { signal });
        if (page.memories.length === 0)
          return personMessage(`Tell me that nothing is remembered in ${named.join(", ")}.`);
        const more =
          page.nextPageToken === undefined ? "" : ` These are the newest ${page.memories.length}; there are more.`;
        return personMessage(
          `Tell me what is remembered below, by subject and in short. Say what contradicts something else or is over, with its id.${more}\n\n${shownMemories(page.memories)}`,
        );
      }),
  );
}
