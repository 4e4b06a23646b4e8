export type { LocateServer } from "./called-server.ts";
export { openInBrowser } from "./open-in-browser.ts";
export { type Gateway, type GatewayOptions, startGateway } from "./start-gateway.ts";
