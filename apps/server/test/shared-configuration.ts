import type { ServerConfiguration } from "../src/index.ts";
import { testConfiguration } from "./test-server.ts";

/** A ledger and indexes in the PostgreSQL that LOCI_TEST_DATABASE_URL names. @param role that serves */
export function sharedConfiguration(
  role: string,
  configuration: Partial<Omit<ServerConfiguration, "limits">>,
): ServerConfiguration {
  const connectionString = { variable: "LOCI_TEST_DATABASE_URL" };
  return testConfiguration({
    ...configuration,
    ledger: { postgres: { connectionString, ownerConnectionString: connectionString, role, maxConnections: 5 } },
    index: { use: "pgvector", pgvector: { connectionString, schema: "loci_index", maxConnections: 5 } },
  });
}
