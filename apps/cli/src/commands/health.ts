import { LociError } from "@loci/domain";
import { findServer, locateDataDirectory } from "@loci/served-directory";
import type { AskHealthOptions } from "@loci/server";
import { type Command, Option } from "commander";
import { readPem } from "../config/connection-options.ts";
import { printJson } from "../output/print-json.ts";
import { printLine } from "../output/terminal.ts";
import { parseSecondsOption } from "../config/seconds-option.ts";

/** Which server is asked. `doctor` takes these, too. */
export interface ServerOptions {
  readonly data?: string;
  readonly connect?: string;
  readonly tlsCa?: string;
  readonly tlsCertificate?: string;
  readonly tlsKey?: string;
  readonly tls?: boolean;
  readonly json?: boolean;
}

interface HealthOptions extends ServerOptions {
  readonly part?: "server" | "ledger" | "index";
  readonly timeout?: number;
}

/** `loci health`: one question, for what watches a server. Needs no API key. Exit code 0 when it serves, 5 when it does not. */
export function addHealthCommand(program: Command): void {
  addServerOptions(program.command("health"))
    .description("ask a server whether it serves (exit code 0) or not (5): for containers and schedulers")
    .addOption(new Option("--part <part>", "what is asked about").choices(["server", "ledger", "index"]))
    .option("--timeout <seconds>", "how long to wait for an answer (default 5)", parseSecondsOption)
    .action(async (options: HealthOptions) => {
      const server = serverOf(options) ?? noServer(options);
      const { askHealth } = await import("@loci/server");
      const { part, timeout } = options;
      const timeoutMilliseconds = timeout === undefined ? undefined : Math.round(timeout * 1_000);
      const status = await askHealth({ ...server, part, timeoutMilliseconds });
      if (status !== "SERVING")
        throw new LociError("SERVER_UNAVAILABLE", {
          message: `${server.address} answers ${status}.`,
          resource: server.address,
          advice: "loci doctor says what is wrong.",
        });
      if (options.json === true) printJson({ address: server.address, status });
      else printLine(status);
    });
}

export function addServerOptions(command: Command): Command {
  return command
    .option("--data <directory>", "the server of this data directory (default: LOCI_DATA_DIR, else the XDG data home)")
    .option("--connect <address>", "a server elsewhere, host:port")
    .option("--tls", "the server of --connect has TLS; its certificate is not checked, and no key is sent")
    .option("--tls-ca <file>", "check its certificate by the authority in this PEM file")
    .option("--tls-certificate <file>", "with this certificate, PEM, for servers that ask for one")
    .option("--tls-key <file>", "the key of that certificate, PEM")
    .option("--json", "print JSON for machines");
}

/** The server that was named, or that serves the directory. */
export function serverOf(options: ServerOptions): AskHealthOptions | undefined {
  const { data, connect, tls, tlsCa, tlsCertificate, tlsKey } = options;
  const authority = readPem("--tls-ca", tlsCa);
  const [chain, key] = [readPem("--tls-certificate", tlsCertificate), readPem("--tls-key", tlsKey)];
  const certificate = chain === undefined || key === undefined ? undefined : { chain, key };
  const isSaid = tls === true || authority !== undefined || certificate !== undefined;
  if (connect !== undefined) return { address: connect, tls: isSaid, authority, certificate };
  const found = findServer(data);
  return found === undefined ? undefined : { address: found.address, tls: found.tls, authority, certificate };
}

function noServer({ data }: ServerOptions): never {
  throw new LociError("SERVER_UNAVAILABLE", {
    message: `No server serves ${locateDataDirectory(data)}.`,
    resource: locateDataDirectory(data),
    advice: "Start one with `loci serve`, or name one with --connect.",
  });
}
