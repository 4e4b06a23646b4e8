import { LociError } from "@loci/domain";
import { isLoopback } from "@loci/served-directory";

/** Where a server listens. */
export interface ServerAddress {
  /** As it was given: `host:port`. */
  readonly text: string;
  /** True when what is sent there does not leave the machine. */
  readonly isLoopback: boolean;
}

const hostAndPort = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+):([0-9]{1,5})$/i;

/** @throws LociError `INVALID_CONFIGURATION` for what is not `host:port` */
export function parseServerAddress(address: unknown): ServerAddress {
  const [text, host = "", port = ""] = (typeof address === "string" && hostAndPort.exec(address)) || [];
  if (text !== undefined && Number(port) >= 1 && Number(port) <= 65_535)
    return { text, isLoopback: isLoopback(host.toLowerCase().replace(/^\[(.*)\]$/, "$1")) };
  throw new LociError("INVALID_CONFIGURATION", {
    message: `address is not host:port: ${typeof address === "string" ? JSON.stringify(address.slice(0, 80)) : typeof address}.`,
    field: "address",
    advice: "Pass for example localhost:5624.",
  });
}
