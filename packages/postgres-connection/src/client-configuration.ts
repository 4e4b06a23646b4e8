import { LociError } from "@loci/domain";
import { Client, type ClientConfig } from "pg";

/**
 * How every connection of Loci is made.
 *
 * @param connectTimeout milliseconds that one may take. Default 5,000
 * @throws LociError `INVALID_CONFIGURATION` for what is no connection string, without quoting it
 */
export function clientConfiguration(connectionString: string, connectTimeout = 5_000): ClientConfig {
  const configuration = {
    connectionString,
    connectionTimeoutMillis: connectTimeout,
    keepAlive: true,
    application_name: "loci",
  };
  try {
    void new Client(configuration);
    return configuration;
  } catch {
    throw new LociError("INVALID_CONFIGURATION", {
      message: "The connection string cannot be read.",
      field: "connectionString",
      advice: "It has the form postgresql://user:password@host:port/database, with special characters as %XX.",
    });
  }
}
