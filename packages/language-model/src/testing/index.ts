export * from "@loci/model-endpoint/testing";
export { foundFact } from "./found-fact.ts";
export { refusesField } from "./refuses-field.ts";
export { says } from "./says.ts";
