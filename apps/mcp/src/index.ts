export { type DirectoryServerOptions, findOrStartServer } from "./connection/directory-server.ts";
export type { LocateServer } from "./connection/loci-connection.ts";
export type { ServerCommand } from "./connection/started-server.ts";
export type { HttpPlace } from "./http/http-place.ts";
export { serveMcpHttp, type ServeMcpHttpOptions } from "./http/serve-mcp-http.ts";
export { type OAuthConfiguration, type OAuthIssuer, readOAuthFile } from "./oauth/oauth-configuration.ts";
export { serveMcp, type ServeMcpOptions } from "./serve-mcp.ts";
