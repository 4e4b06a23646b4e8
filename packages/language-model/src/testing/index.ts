export * from "@loci/model-endpoint/testing";
export { refusesField } from "./refuses-field.ts";
export { says } from "./says.ts";
