export type { ConnectOptions, TlsOptions } from "./connect-options.ts";
export { connectLoci } from "./connect-loci.ts";
export { type ConnectedServer, connectServer, type ConnectServerOptions } from "./connect-server.ts";
export { connectLocalLoci, type ConnectLocalOptions } from "./connect-local-loci.ts";
export { delegatedToken, type DelegatedTokenOptions } from "@loci/api";
export * from "@loci/domain";
