import { readFileSync } from "node:fs";
import type { ConnectOptions } from "@loci/client";
import { LociError } from "@loci/domain";
import type { ServerLocation } from "@loci/loci";
import { type Command, Option } from "commander";
import { type IndexOption, indexOption } from "./index-option.ts";

/** Where the data is. Every command that works on memories takes these. */
export interface ConnectionOptions {
  readonly data?: string;
  readonly index?: IndexOption | undefined;
  /** A server's `host:port`, instead of a directory. */
  readonly connect?: string;
  readonly apiKey?: string;
  readonly tlsCa?: string;
  readonly verbose?: boolean;
}

/** Adds `--data`, `--index`, `--connect`, `--api-key`, `--tls-ca` and `--verbose` to a command. */
export function addConnectionOptions(command: Command): Command {
  return command
    .option("--data <directory>", "data directory (default: LOCI_DATA_DIR, else the XDG data home)")
    .addOption(indexOption())
    .addOption(
      new Option("--connect <address>", "work on a server, host:port, instead of a data directory").conflicts("data"),
    )
    .addOption(
      new Option(
        "--api-key <key>",
        "key of the server; other users of this machine see it, so prefer the variable",
      ).env("LOCI_API_KEY"),
    )
    .option("--tls-ca <file>", "connect by TLS, and trust the authority in this PEM file")
    .option("--verbose", "say on standard error which data is worked on");
}

/**
 * How to reach a server.
 *
 * @param found when it is the server of a data directory: whether it has TLS, and the key for its user
 * @throws LociError `FILE_NOT_FOUND` for the authority's file
 */
export function connectOptions(
  { apiKey, tlsCa }: ConnectionOptions,
  address: string,
  found?: Pick<ServerLocation, "tls" | "apiKey">,
): ConnectOptions {
  const usesTls = found?.tls ?? tlsCa !== undefined;
  const tls = !usesTls ? undefined : tlsCa === undefined ? true : { ca: readAuthority(tlsCa) };
  return { address, apiKey: apiKey === undefined || apiKey === "" ? found?.apiKey : apiKey, tls };
}

function readAuthority(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (cause) {
    throw new LociError("FILE_NOT_FOUND", {
      message: `--tls-ca ${file} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`,
      resource: file,
      advice: "Name the PEM file of the authority that signed the server's certificate.",
      cause,
    });
  }
}
