import { readFileSync } from "node:fs";
import type { ConnectOptions } from "@loci/client";
import { LociError } from "@loci/domain";
import type { ServerLocation } from "@loci/loci";
import { type Command, Option } from "commander";
import { parseSecondsOption } from "./seconds-option.ts";
import { type IndexOption, indexOption } from "./index-option.ts";

/** Where the data is. Every command that works on memories takes these. */
export interface ConnectionOptions {
  readonly data?: string;
  readonly index?: IndexOption | undefined;
  /** Whose data of a directory that nobody serves. Default `local`. */
  readonly asTenant?: string;
  /** A server's `host:port`, instead of a directory. */
  readonly connect?: string;
  readonly apiKey?: string;
  readonly tlsCa?: string;
  readonly tlsCertificate?: string;
  readonly tlsKey?: string;
  /** Of one call to a server, in seconds. */
  readonly timeout?: number;
  readonly verbose?: boolean;
}

/** Adds `--data`, `--index`, `--as-tenant`, `--connect`, `--api-key`, `--tls-ca`, `--tls-certificate`, `--tls-key`, `--timeout` and `--verbose` to a command. */
export function addConnectionOptions(command: Command): Command {
  return command
    .option("--data <directory>", "data directory (default: LOCI_DATA_DIR, else the XDG data home)")
    .addOption(indexOption())
    .addOption(
      new Option(
        "--as-tenant <name>",
        "whose data of a directory that nobody serves (default: local); a server takes it from the key",
      ).conflicts("connect"),
    )
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
    .option("--tls-certificate <file>", "connect by TLS with this certificate, PEM, for servers that ask for one")
    .option("--tls-key <file>", "the key of that certificate, PEM")
    .option(
      "--timeout <seconds>",
      "how long a call to a server may take (default 30); a connection may take 5",
      parseSecondsOption,
    )
    .option("--verbose", "say on standard error which data is worked on");
}

/**
 * Whose data it is, a server says.
 *
 * @param why there is one, such as `a server at ADDRESS has this directory open`
 * @throws LociError `INVALID_REQUEST` where `--as-tenant` is there
 */
export function refuseTenant({ asTenant }: ConnectionOptions, why: string): void {
  if (asTenant === undefined) return;
  throw new LociError("INVALID_REQUEST", {
    message: `--as-tenant ${asTenant}: ${why}, and takes the tenant from the key.`,
    field: "--as-tenant",
    advice: "Leave it out, and give a key of that tenant: LOCI_API_KEY.",
  });
}

/**
 * How to reach a server.
 *
 * @param found when it is the server of a data directory: whether it has TLS, and the key for its user
 * @throws LociError `FILE_NOT_FOUND` for a file of TLS; `INVALID_CONFIGURATION` for a certificate without its key
 */
export function connectOptions(
  { apiKey, tlsCa, tlsCertificate, tlsKey, timeout }: ConnectionOptions,
  address: string,
  found?: Pick<ServerLocation, "tls" | "apiKey">,
): ConnectOptions {
  if ((tlsCertificate === undefined) !== (tlsKey === undefined))
    throw new LociError("INVALID_CONFIGURATION", {
      message: `${tlsKey === undefined ? "--tls-certificate" : "--tls-key"} is there without the other.`,
      field: "tls",
      advice: "Give both --tls-certificate and --tls-key, or none.",
    });
  const files = {
    ca: readPem("--tls-ca", tlsCa),
    certificate: readPem("--tls-certificate", tlsCertificate),
    key: readPem("--tls-key", tlsKey),
  };
  const isSaid = Object.values(files).some((file) => file !== undefined);
  const usesTls = found?.tls ?? isSaid;
  const tls = !usesTls ? undefined : isSaid ? files : true;
  return {
    address,
    apiKey: apiKey === undefined || apiKey === "" ? found?.apiKey : apiKey,
    tls,
    timeoutMilliseconds: timeout === undefined ? undefined : Math.round(timeout * 1_000),
  };
}

/** What a PEM file of an option holds. @throws LociError `FILE_NOT_FOUND` */
export function readPem(option: string, file: string | undefined): Buffer | undefined {
  if (file === undefined) return undefined;
  try {
    return readFileSync(file);
  } catch (cause) {
    throw new LociError("FILE_NOT_FOUND", {
      message: `${option} ${file} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`,
      resource: file,
      advice:
        "Name a PEM file: the authority that signed the server's certificate, or your own certificate and its key.",
      cause,
    });
  }
}
