export { type DirectoryServerOptions, findOrStartServer } from "./connection/directory-server.ts";
export type { LocateServer } from "./connection/loci-connection.ts";
export type { ServerCommand } from "./connection/started-server.ts";
export { serveMcp, type ServeMcpOptions } from "./serve-mcp.ts";
