import { LociError, type OpenEngineOptions } from "@loci/loci";
import { readSecret } from "./read-secret.ts";
import type { SecretPlace, ServerConfiguration } from "./server-configuration.ts";

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
      connectionString: readConnectionString(connectionString),
      ownerConnectionString: ownerConnectionString && readConnectionString(ownerConnectionString),
    },
  };
}

/** Anything else would be taken for the name of a database, and be told: a password that was put there by mistake, too. */
function readConnectionString(place: SecretPlace): string {
  const secret = readSecret(place, `the connection string of the ${database}`);
  if (/^(postgres(ql)?|socket):/.test(secret) || secret.startsWith("/")) return secret;
  throw new LociError("INVALID_CONFIGURATION", {
    message: `The secret of the ${database} is no connection string.`,
    field: "ledger",
    advice: "It has the form postgresql://user:password@host:port/database, with special characters as %XX.",
  });
}
