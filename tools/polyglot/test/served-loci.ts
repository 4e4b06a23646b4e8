import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultConfiguration, type ServerConfiguration, startServer } from "@loci/server";

/** A server over an empty data directory of its own. */
export interface ServedLoci extends AsyncDisposable {
  /** By the name that its certificate has. */
  readonly address: string;
  readonly dataDirectory: string;
}

export async function serveLoci(configuration: Partial<ServerConfiguration> = {}): Promise<ServedLoci> {
  const dataDirectory = mkdtempSync(join(tmpdir(), "loci-polyglot-"));
  const server = await startServer(
    { ...defaultConfiguration, listen: { address: "127.0.0.1", port: 0 }, dataDirectory, ...configuration },
    { writeLog: () => {} },
  );
  return {
    address: `localhost:${server.port}`,
    dataDirectory,
    [Symbol.asyncDispose]: async () => {
      await server.close(0);
      rmSync(dataDirectory, { recursive: true });
    },
  };
}
