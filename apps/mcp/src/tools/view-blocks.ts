import type { ScopeText } from "@loci/loci";
import type { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { blockOwners } from "./block-owners.ts";
import { perEnvironment } from "./per-environment.ts";
import { readScopes, readScopesParameter } from "./scope-parameters.ts";
import { runTool, type ToolEnvironment } from "./tool-environment.ts";
import { shownBlock } from "./shown-block.ts";
import { asData, dataNotice, toolResult } from "./tool-result.ts";
import { waitingChanges, waitingEdits } from "./waiting-edits.ts";

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
      fields: z.array(z.string()).describe("By the names that edit_block takes, also those without a value."),
      markdown: z.string(),
      waiting: z
        .array(z.object({ id: z.string(), changes: z.string() }))
        .optional()
        .describe("Changes that wait for a person, by the fields they are about."),
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
        const schemas = new Map((await loci.blocks.schemas.list({ signal })).map((schema) => [schema.name, schema]));
        const blocks = [];
        const shown: string[] = [];
        const others: string[] = [];
        for (const owner of owners) {
          const edits = await waitingEdits(loci, { owner }, { signal });
          for (const { label: name } of await loci.blocks.list({ owner }, { signal })) {
            if (label !== undefined && name !== label) {
              others.push(`${name} of ${owner}`);
              continue;
            }
            const block = await loci.blocks.get({ owner, label: name }, { signal });
            const { markdown, version, policy } = block;
            const schema = schemas.get(block.schema) ?? { name: block.schema, fields: [] };
            const fields = schema.fields.map((field) => field.name);
            const waiting = edits
              .filter((edit) => edit.label === name)
              .map((edit) => ({ id: edit.id, changes: waitingChanges(edit) }));
            blocks.push({
              scope: owner,
              label: name,
              version,
              policy,
              fields,
              markdown: asData(markdown),
              ...(waiting.length === 0 ? {} : { waiting }),
            });
            shown.push([shownBlock(block, schema), ...waiting.map(shownWaiting)].join("\n"));
          }
        }
        return toolResult(
          { blocks },
          shown.length === 0 ? noneShown(owners[0], others) : [dataNotice, ...shown].join("\n\n"),
        );
      }),
  );
}

function shownWaiting({ id, changes }: { readonly id: string; readonly changes: string }): string {
  return `A change waits for the user: ${changes} (edit ${id}).`;
}

/** @param others what there is, where another label was asked for */
function noneShown(owner: ScopeText | undefined, others: readonly string[]): string {
  if (others.length > 0) return `There is no block of that label. There are: ${others.join(", ")}.`;
  if (owner === undefined) return "There are no blocks here: users, agents, teams and projects have them.";
  return `There are no blocks yet. The user can make one: loci blocks create human --scope ${owner}`;
}
