import { type McpServer, ResourceTemplate } from "@modelcontextprotocol/server";
import { readLoci } from "../connection/read-loci.ts";
import { blockOwners } from "../tools/block-owners.ts";
import type { ToolEnvironment } from "../tools/tool-environment.ts";
import { asData, dataNotice } from "../tools/tool-result.ts";
import { readResource } from "./read-resource.ts";
import { openedScope, partOf, resourceUri } from "./resource-uri.ts";

/** Adds `loci://block/{owner}/{label}`: a block as a person would edit it. */
export function addBlockResource(server: McpServer, environment: ToolEnvironment): void {
  const owners = blockOwners(environment.scopes);
  const labelsOf = (owner: string, beginning: string): Promise<string[]> =>
    readLoci(environment, async (loci) => {
      const known = owners.find((each) => each === owner);
      const blocks = known === undefined ? [] : await loci.blocks.list({ owner: known });
      return blocks.map(({ label }) => label).filter((label) => label.startsWith(beginning));
    });
  server.registerResource(
    "block",
    new ResourceTemplate("loci://block/{owner}/{label}", {
      list: ({ mcpReq: { signal } }) =>
        readLoci(environment, async (loci) => {
          const lists = await Promise.all(
            owners.map(async (owner) =>
              (await loci.blocks.list({ owner }, { signal })).map(({ label, description }) => ({
                uri: resourceUri("block", owner, label),
                name: `${owner} ${label}`,
                title: `The block ${label} of ${owner}`,
                mimeType: "text/markdown",
                ...(description === undefined ? {} : { description: asData(description) }),
              })),
            ),
          );
          return { resources: lists.flat() };
        }),
      complete: {
        owner: (beginning) => owners.filter((owner) => owner.startsWith(beginning)),
        label: (beginning, context) => labelsOf(context?.arguments?.["owner"] ?? "", beginning),
      },
    }),
    {
      title: "A block",
      description: "What stands in every context about the user, the agent or the project.",
      mimeType: "text/markdown",
    },
    (uri, variables, { mcpReq: { signal } }) =>
      readResource(environment, uri, async (loci) => {
        const owner = openedScope(owners, partOf(variables["owner"]));
        const { version, markdown } = await loci.blocks.get({ owner, label: partOf(variables["label"]) }, { signal });
        const text = `${dataNotice}\n${owner}, version ${version}\n${asData(markdown)}`;
        return { contents: [{ uri: uri.href, mimeType: "text/markdown", text }] };
      }),
  );
}
