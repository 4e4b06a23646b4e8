import type { ServerResponse } from "node:http";
import { getOAuthProtectedResourceMetadataUrl } from "@modelcontextprotocol/server";
import { roleOfScope } from "./access-tokens.ts";
import type { OAuthConfiguration } from "./oauth-configuration.ts";

/** What this server says of itself to those who want a token for it (RFC 9728). */
export interface ProtectedResource {
  /** Where it is said. */
  readonly url: string;
  /** The same on this server, and without the path of the resource, where some clients look. */
  readonly paths: readonly string[];
  readonly metadata: string;
}

const scopes = Object.keys(roleOfScope);

export function protectedResource({ resource, issuers }: OAuthConfiguration): ProtectedResource {
  const url = getOAuthProtectedResourceMetadataUrl(resource);
  return {
    url,
    paths: [...new Set([new URL(url).pathname, "/.well-known/oauth-protected-resource"])],
    metadata: JSON.stringify({
      resource: resource.href,
      resource_name: "Loci",
      authorization_servers: issuers.map(({ issuer }) => issuer),
      scopes_supported: scopes,
      bearer_methods_supported: ["header"],
    }),
  };
}

export function sendMetadata(response: ServerResponse, { metadata }: ProtectedResource): void {
  response.writeHead(200, { "content-type": "application/json", "cache-control": "max-age=300" }).end(metadata);
}

/** The header that tells who is refused where to get what is needed (RFC 6750, RFC 9728). */
export function challenge(
  resource: ProtectedResource | undefined,
  error?: "invalid_token" | "insufficient_scope",
): string {
  const parts = [
    'realm="loci"',
    ...(error === undefined ? [] : [`error="${error}"`]),
    ...(resource === undefined ? [] : [`scope="${scopes.join(" ")}"`, `resource_metadata="${resource.url}"`]),
  ];
  return `Bearer ${parts.join(", ")}`;
}
