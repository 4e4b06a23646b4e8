import { isIPv6 } from "node:net";
import { LociError } from "@loci/loci";
import { isLoopback } from "@loci/served-directory";
import { loopbackNames } from "./foreign-requests.ts";

/** Where MCP is served over HTTP. */
export interface HttpPlace {
  readonly address: string;
  /** 0: any that is free. */
  readonly port: number;
  /** Names by which callers know this server, besides its address: what `Host` and `Origin` of a request may say. Without ports. */
  readonly names?: readonly string[] | undefined;
  /** PEM files, or what a server around this one shows of itself. Required where other machines reach the address. */
  readonly tls?: { readonly certificateFile: string; readonly keyFile: string } | HttpCertificates | undefined;
  /** Pages of other sites that may call, as browsers name them: `https://inspector.example.com`. Default: none. */
  readonly allowedOrigins?: readonly string[] | undefined;
  /** What these are called where they are set, for errors. Default `--http`, `--http-name` and `--allow-origin`. */
  readonly settings?: { readonly listen: string; readonly names: string; readonly allowedOrigins: string } | undefined;
}

/** What a server shows of itself, PEM; read again when it is renewed. */
export interface HttpCertificates {
  readonly current: { readonly certificate: Uint8Array; readonly privateKey: Uint8Array };
  /** Calls when there is another. Returns the way to stop it. */
  onRenewed(listener: () => void): () => void;
}

/**
 * The names of a server at this place.
 *
 * @throws LociError `INVALID_CONFIGURATION` for a place that other machines reach without TLS, or under every address of the machine and
 *   no name
 */
export function namesOf({ address, names = [], tls }: HttpPlace): readonly string[] {
  const named = names.map((name) => (isIPv6(name) ? `[${name}]` : name.toLowerCase()));
  if (isLoopback(address)) return [...new Set([...loopbackNames, placeName(address), ...named])];
  if (tls === undefined)
    throw new LociError("INVALID_CONFIGURATION", {
      message: `Other machines can reach ${address}, and there is no TLS.`,
      field: "--http",
      advice: "Give --http-certificate and --http-key, or listen on 127.0.0.1.",
    });
  if (!isEveryAddress(address)) return [placeName(address), ...named];
  if (named.length > 0) return named;
  throw new LociError("INVALID_CONFIGURATION", {
    message: `${address} is every address of this machine, and says nothing of the name that callers use.`,
    field: "--http-name",
    advice: "Name it as callers do, such as --http-name memory.example.com.",
  });
}

/** The name by which a server at this place is told to people. */
export function shownName({ address, names: [first] = [] }: HttpPlace): string {
  return isEveryAddress(address) && first !== undefined ? first : address;
}

/** Host and port as in a URL. */
export function placeText(address: string, port: number): string {
  return `${placeName(address)}:${port}`;
}

function placeName(address: string): string {
  return isIPv6(address) ? `[${address}]` : address;
}

function isEveryAddress(address: string): boolean {
  return address === "0.0.0.0" || address === "::";
}
