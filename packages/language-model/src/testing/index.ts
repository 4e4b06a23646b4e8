export * from "@loci/model-endpoint/testing";
export { says } from "./says.ts";
