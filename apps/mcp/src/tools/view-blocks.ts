import type { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { blockOwners } from "./block-owners.ts";
import { perEnvironment } from "./per-environment.ts";
import { readScopes, readScopesParameter } from "./scope-parameters.ts";
import { runTool, type ToolEnvironment } from "./tool-environment.ts";
import { asData, dataNotice, toolResult } from "./tool-result.ts";

const description = `Look at the blocks: what stands in every context about the user, the agent or the project. Look before \
you propose a change with edit_block.`;

const inputSchema = perEnvironment(({ scopes }) =>
  z.strictObject({
    label: z.string().optional().describe("Only this one, such as human."),
    scopes: readScopesParameter(scopes),
  }),
);

const outputSchema = z.object({
  blocks: z.array(
    z.object({
      scope: z.string(),
      label: z.string(),
      version: z.number(),
      policy: z.string(),
      markdown: z.string(),
    }),
  ),
});

/** Adds `view_blocks`. */
export function addViewBlocksTool(server: McpServer, environment: ToolEnvironment): void {
  server.registerTool(
    "view_blocks",
    {
      title: "View blocks",
      description,
      annotations: { readOnlyHint: true, openWorldHint: false },
      inputSchema: inputSchema(environment),
      outputSchema,
    },
    ({ label, scopes }, { mcpReq: { signal } }) =>
      runTool(environment, async (loci) => {
        const owners = blockOwners(readScopes(environment, scopes));
        const blocks = [];
        for (const owner of owners)
          for (const block of await loci.blocks.list({ owner }, { signal })) {
            if (label !== undefined && block.label !== label) continue;
            const { markdown, version, policy } = await loci.blocks.get({ owner, label: block.label }, { signal });
            blocks.push({ scope: owner, label: block.label, version, policy, markdown: asData(markdown) });
          }
        const shown = blocks.map(({ scope, version, markdown }) => `${scope}, version ${version}\n${markdown}`);
        return toolResult(
          { blocks },
          shown.length === 0 ? "There are no blocks yet." : [dataNotice, ...shown].join("\n\n"),
        );
      }),
  );
}
