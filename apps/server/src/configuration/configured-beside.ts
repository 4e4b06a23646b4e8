import { isLoopback } from "@loci/served-directory";
import type { BesideConfiguration, ServerConfiguration } from "./server-configuration.ts";
import { listenPlaceOf, refuseSetting } from "./setting.ts";
import type { Settings } from "./settings.ts";

/**
 * What is served beside the calls, if it was said where.
 *
 * @param hasCredentials keys or certificates are configured
 * @throws LociError `INVALID_CONFIGURATION` for a place that would put memories on a network unprotected
 */
export function besideOf(
  values: Partial<Settings>,
  hasCredentials: boolean,
): Pick<ServerConfiguration, "browser" | "mcp"> {
  const [browser, mcp] = [placeOf(values, "browser", hasCredentials), placeOf(values, "mcp", hasCredentials)];
  const { "browser.access": access = "change", "mcp.scopes": scopes = [], "mcp.oauth_file": oauthFile } = values;
  const { "mcp.allowed_origins": allowedOrigins = [] } = values;
  return {
    ...(browser && { browser: { ...browser, access } }),
    ...(mcp && { mcp: { ...mcp, scopes, allowedOrigins, ...(oauthFile === undefined ? {} : { oauthFile }) } }),
  };
}

function placeOf(
  values: Partial<Settings>,
  table: "browser" | "mcp",
  hasCredentials: boolean,
): BesideConfiguration | undefined {
  const names = values[`${table}.names`] ?? [];
  const place = listenPlaceOf(values[`${table}.listen`] ?? "");
  if (place === undefined) return undefined;
  const name = `${table}.listen`;
  if (values["tls.client_ca_file"] !== undefined)
    refuseSetting(
      { name },
      "is there beside tls.client_ca_file",
      "A server that asks for certificates serves nobody by a key alone. Leave one of the two out, or start loci browse or loci mcp --http with a certificate of its own.",
    );
  if (isLoopback(place.address)) return { ...place, names };
  if (values["tls.certificate_file"] === undefined)
    refuseSetting(
      { name },
      `is ${place.address}, which other machines can reach, and there is no TLS`,
      "Set tls.certificate_file and tls.private_key_file, or listen on 127.0.0.1.",
    );
  if (!hasCredentials)
    refuseSetting(
      { name },
      `is ${place.address}, which other machines can reach, and there are no API keys`,
      "Add an [[api_keys]] entry for each caller, or listen on 127.0.0.1.",
    );
  const isEveryAddress = place.address === "0.0.0.0" || place.address === "::";
  if (isEveryAddress && names.length === 0)
    refuseSetting(
      { name: `${table}.names` },
      "is missing, and the address is every one of this machine",
      'Say the name that callers use, such as ["memory.example.com"].',
    );
  return { ...place, names };
}
