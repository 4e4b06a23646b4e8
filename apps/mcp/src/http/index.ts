// Apart from what editors start: what only a server over HTTP needs takes time to load.
export { type OAuthConfiguration, type OAuthIssuer, readOAuthFile } from "../oauth/oauth-configuration.ts";
export type { IssuerNews } from "../oauth/issuer-keys.ts";
export type { HttpCertificates, HttpPlace } from "./http-place.ts";
export { type RefusedRequest, serveMcpHttp, type ServeMcpHttpOptions } from "./serve-mcp-http.ts";
