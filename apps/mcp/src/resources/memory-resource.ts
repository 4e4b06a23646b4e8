import { memoryId } from "@loci/loci";
import { type McpServer, ResourceTemplate } from "@modelcontextprotocol/server";
import { readLoci } from "../connection/read-loci.ts";
import type { ToolEnvironment } from "../tools/tool-environment.ts";
import { readResource } from "./read-resource.ts";
import { isOpened, notThere, partOf } from "./resource-uri.ts";
import { shownMemories } from "./shown-memories.ts";

/** As many as a client shows. */
const completed = 100;

/** Adds `loci://memory/{id}`: one memory, to be attached to a conversation. They are found by recall, and not listed. */
export function addMemoryResource(server: McpServer, environment: ToolEnvironment): void {
  const { scopes } = environment;
  const newestIds = (beginning: string): Promise<string[]> =>
    readLoci(environment, async (loci) => {
      const { memories } = await loci.memories.list({ scopes, pageSize: completed });
      return memories.map(({ id }) => id).filter((id) => id.startsWith(beginning));
    });
  server.registerResource(
    "memory",
    new ResourceTemplate("loci://memory/{id}", { list: undefined, complete: { id: newestIds } }),
    { title: "A memory", description: "One memory by its id, as recall gives it.", mimeType: "text/plain" },
    (uri, { id }, { mcpReq: { signal } }) =>
      readResource(environment, uri, async (loci) => {
        const memory = await loci.memories.get(memoryId(partOf(id)), { signal });
        // What waits for approval is for those who decide, and not for a conversation.
        if (!isOpened(scopes, memory.scope) || memory.state !== "active") throw notThere();
        return { contents: [{ uri: uri.href, mimeType: "text/plain", text: shownMemories([memory]) }] };
      }),
  );
}
