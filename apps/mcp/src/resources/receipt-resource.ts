import { type McpServer, ResourceTemplate } from "@modelcontextprotocol/server";
import type { ToolEnvironment } from "../tools/tool-environment.ts";
import { asData } from "../tools/tool-result.ts";
import { notThere, partOf } from "./resource-uri.ts";

/** Adds `loci://receipt/{id}`: what went into a context that was assembled lately, what did not, and why. */
export function addReceiptResource(server: McpServer, { receipts }: ToolEnvironment): void {
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
    (uri, { id }) => {
      const text = receipts.get(partOf(id));
      if (text === undefined) throw notThere();
      return { contents: [{ uri: uri.href, mimeType: "text/plain", text: asData(text) }] };
    },
  );
}
