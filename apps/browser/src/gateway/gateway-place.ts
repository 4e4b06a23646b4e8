import { isIPv6 } from "node:net";
import { LociError } from "@loci/domain";
import { isLoopback } from "@loci/served-directory";

/** What a server shows of itself, PEM; read again when it is renewed. */
export interface GatewayCertificates {
  readonly current: { readonly certificate: Uint8Array; readonly privateKey: Uint8Array };
  /** Calls when there is another. Returns the way to stop it. */
  onRenewed(listener: () => void): () => void;
}

/** Where the page is served. */
export interface GatewayPlace {
  /** Default 127.0.0.1. */
  readonly address?: string | undefined;
  /** 0: any free one. Default 0. */
  readonly port?: number | undefined;
  /** Names by which browsers know it, besides the address: of the certificate, or of the proxy in front. Without ports. Default none. */
  readonly names?: readonly string[] | undefined;
  /** Serves by HTTPS. Required where other machines reach the address. */
  readonly certificates?: GatewayCertificates | undefined;
  /** A reader that takes nothing for so long is cut off, in milliseconds. Default 30,000. */
  readonly patience?: number | undefined;
}

/** What `Host` and `Origin` of a request may say. */
export interface KnownNames {
  readonly scheme: "http" | "https";
  /** Of the machine: with the port that is listened on. */
  readonly own: readonly string[];
  /** That people were told: a proxy in front may have another port. */
  readonly told: readonly string[];
}

export const loopbackAddress = "127.0.0.1";

/** @throws LociError `INVALID_CONFIGURATION` for a place that other machines reach without TLS, or under every address and no name */
export function namesOf({ address = loopbackAddress, names = [], certificates }: GatewayPlace): KnownNames {
  const told = names.map((name) => (isIPv6(name) ? `[${name}]` : name.toLowerCase()));
  const scheme = certificates === undefined ? "http" : "https";
  if (isLoopback(address)) return { scheme, own: [...new Set(["localhost", hostOf(address)])], told };
  if (certificates === undefined)
    throw new LociError("INVALID_CONFIGURATION", {
      message: `Other machines can reach ${address}, and the memory browser has no TLS there.`,
      field: "address",
      advice: "Give it a certificate, or listen on 127.0.0.1.",
    });
  const isEveryAddress = address === "0.0.0.0" || address === "::";
  if (isEveryAddress && told.length === 0)
    throw new LociError("INVALID_CONFIGURATION", {
      message: `${address} is every address of this machine, and says nothing of the name that browsers use.`,
      field: "names",
      advice: "Name it as people do in their browsers, such as memory.example.com.",
    });
  return { scheme, own: isEveryAddress ? [] : [hostOf(address)], told };
}

/** The address as it stands in front of a port. */
export function hostOf(address: string): string {
  return isIPv6(address) ? `[${address}]` : address;
}
