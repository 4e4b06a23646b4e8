import { type ScopeKind, scopeKinds, type ScopeText } from "@loci/loci";
import { type McpServer, ResourceTemplate } from "@modelcontextprotocol/server";
import type { ReadResourceResult, Resource } from "@modelcontextprotocol/server";
import type { ToolEnvironment } from "../tools/tool-environment.ts";
import { readResource } from "./read-resource.ts";
import { openedScope, partOf, scopeUri } from "./resource-uri.ts";
import { shownMemories } from "./shown-memories.ts";

/** The newest of a scope: more would fill a conversation with what nobody asked for. */
const shown = 100;

const metadata = {
  title: "What is remembered in a scope",
  description: `The newest ${shown} memories of a user, project, team, agent or everybody.`,
  mimeType: "text/plain",
};

/** Adds `loci://scope/{kind}/{id}` and `loci://scope/global`: what is remembered of somebody or something. */
export function addScopeResource(server: McpServer, environment: ToolEnvironment): void {
  const { scopes } = environment;
  const read = (uri: URL, scopeOf: () => ScopeText, signal: AbortSignal): Promise<ReadResourceResult> =>
    readResource(environment, uri, async (loci) => {
      const scope = scopeOf();
      const { memories } = await loci.memories.list({ scopes: [scope], pageSize: shown }, { signal });
      return { contents: [{ uri: uri.href, mimeType: "text/plain", text: shownMemories(memories) }] };
    });
  const named = scopes.filter((scope) => scope !== "global");
  const resources = named.map((scope): Resource => ({
    ...metadata,
    uri: scopeUri(scope),
    name: scope,
    title: `What is remembered of ${scope}`,
  }));
  const idsOf = (kind: string | undefined, beginning: string): string[] =>
    named
      .filter((scope) => kind === undefined || scope.startsWith(`${kind}:`))
      .map((scope) => scope.slice(scope.indexOf(":") + 1))
      .filter((id) => id.startsWith(beginning));
  const kindsOf = (beginning: string): ScopeKind[] =>
    scopeKinds.filter((kind) => kind.startsWith(beginning) && named.some((scope) => scope.startsWith(`${kind}:`)));
  server.registerResource(
    "scope",
    new ResourceTemplate("loci://scope/{kind}/{id}", {
      list: () => ({ resources }),
      complete: { kind: kindsOf, id: (beginning, context) => idsOf(context?.arguments?.["kind"], beginning) },
    }),
    metadata,
    (uri, { kind, id }, { mcpReq: { signal } }) =>
      read(uri, () => openedScope(scopes, `${partOf(kind)}:${partOf(id)}`), signal),
  );
  if (scopes.includes("global"))
    server.registerResource(
      "global",
      scopeUri("global"),
      { ...metadata, title: "What is remembered for everybody" },
      (uri, { mcpReq: { signal } }) => read(uri, () => "global", signal),
    );
}
