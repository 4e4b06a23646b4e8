export { ModelEndpoint } from "./model-endpoint.ts";
export type * from "./model-endpoint-options.ts";
export { refuseOption } from "./check-endpoint-options.ts";
export { fieldOf } from "./field-of.ts";
