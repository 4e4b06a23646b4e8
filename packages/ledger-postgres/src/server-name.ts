import { Client, type ClientConfig } from "pg";

/** Names a server for messages, without user and password. */
export function nameServer(configuration: ClientConfig): string {
  try {
    // Resolves what the connection string leaves to the environment.
    const { host, port, database } = new Client(configuration);
    return `PostgreSQL at ${host}:${port}, database ${database ?? "of the user's name"}`;
  } catch {
    return "PostgreSQL";
  }
}
