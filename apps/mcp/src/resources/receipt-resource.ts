import { formatReceipt, type Loci } from "@loci/loci";
import { type McpServer, ResourceTemplate } from "@modelcontextprotocol/server";
import type { ToolEnvironment } from "../tools/tool-environment.ts";
import { asData } from "../tools/tool-result.ts";
import { readResource } from "./read-resource.ts";
import { isOpened, notThere, partOf } from "./resource-uri.ts";

/**
 * Adds `loci://receipt/{id}`: what went into a context that was assembled lately, what did not, and why. Of the latest in full, of others as
 * far as Loci keeps it.
 */
export function addReceiptResource(server: McpServer, environment: ToolEnvironment): void {
  const { receipts, scopes: opened } = environment;
  const kept = async (loci: Loci, id: string, signal: AbortSignal): Promise<string> => {
    const { receipt, summary } = await loci.receipts.get(id, { signal });
    // What was assembled elsewhere may be of scopes that the person has not opened here.
    if (!summary.scopes.every((scope) => isOpened(opened, scope))) throw notThere();
    return formatReceipt({ receipt, usage: summary.usage, warnings: [] });
  };
  server.registerResource(
    "receipt",
    new ResourceTemplate("loci://receipt/{id}", {
      list: undefined,
      complete: { id: (beginning) => receipts.ids().filter((id) => id.startsWith(beginning)) },
    }),
    {
      title: "The receipt of a context",
      description: "What went into a context, what did not, and why, as assemble_context names it.",
      mimeType: "text/plain",
    },
    async (uri, { id }, { mcpReq: { signal } }) => {
      // What is kept here is there also while the server is not. Ids are the same when they are escaped.
      const here = receipts.get(String(id));
      const text = here ?? (await readResource(environment, uri, (loci) => kept(loci, partOf(id), signal)));
      return { contents: [{ uri: uri.href, mimeType: "text/plain", text: asData(text) }] };
    },
  );
}
