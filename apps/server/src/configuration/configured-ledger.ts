import type { OpenEngineOptions } from "@loci/loci";
import { readSecret } from "./read-secret.ts";
import type { ServerConfiguration } from "./server-configuration.ts";

const database = "ledger's database";

/**
 * The ledger that the configuration names, its connection strings read.
 *
 * @throws LociError `INVALID_CONFIGURATION`
 */
export function configuredLedger({
  ledger: { postgres },
}: Pick<ServerConfiguration, "ledger">): Pick<OpenEngineOptions, "ledger"> {
  if (postgres === undefined) return {};
  const { connectionString, ownerConnectionString, ...rest } = postgres;
  return {
    ledger: {
      ...rest,
      kind: "postgres",
      connectionString: readSecret(connectionString, database),
      ownerConnectionString: readSecret(ownerConnectionString, database),
    },
  };
}
