import { type Principal, roles, tenantId } from "@loci/loci";
import { createApiKey, type NewApiKey } from "./api-key.ts";

/** Who runs a server that has no configured API keys: with every right in the tenant `local`. */
export const localPrincipal: Principal = {
  tenant: tenantId("local"),
  subject: "local",
  roles,
  scopePatterns: ["*"],
};

/**
 * The key of such a server, which stands nowhere but in the data directory's `server.json`, for its user alone: other users
 * of the machine reach the port, too. Each start makes another, so that one sent to whoever has the port since opens nothing.
 */
export function createLocalKey(): NewApiKey {
  const { tenant, subject, roles, scopePatterns: scopes } = localPrincipal;
  return createApiKey({ id: "local", tenant, subject, roles, scopes });
}
