import type { CallToolResult, Client } from "@modelcontextprotocol/client";

export async function call(client: Client, name: string, input: Record<string, unknown>): Promise<CallToolResult> {
  return await client.callTool({ name, arguments: input });
}

/** What a model reads of a result. */
export function textOf({ content: [part] }: CallToolResult): string {
  return part?.type === "text" ? part.text : "";
}
