import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A file that a server shows. */
export const serverFile = (name: string): string => join(import.meta.dirname, "fixtures/tls", name);
/** A file that a caller shows. */
export const clientFile = (name: string): string => join(import.meta.dirname, "fixtures/mutual-tls", name);
/** The authority that servers are known by. */
export const ca: Buffer = readFileSync(serverFile("authority.crt"));
/** A server that asks callers for a certificate. */
export const tls = {
  certificateFile: serverFile("server.crt"),
  privateKeyFile: serverFile("server.key"),
  clientCaFile: clientFile("authority.crt"),
} as const;
