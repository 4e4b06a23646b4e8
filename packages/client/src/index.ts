export type { ConnectOptions, TlsOptions } from "./connect-options.ts";
export { connectLoci } from "./connect-loci.ts";
export * from "@loci/domain";
