export type { LocateServer } from "./called-server.ts";
export type { GatewayCertificates, GatewayPlace } from "./gateway-place.ts";
export { openInBrowser } from "./open-in-browser.ts";
export type { SignInWay } from "./session-requests.ts";
export { type Gateway, type GatewayOptions, startGateway } from "./start-gateway.ts";
