export { indexAdapters } from "./index-adapters.ts";
export { type IndexChoice, type IndexKind, indexKinds, type OutsideIndexKind } from "./index-choice.ts";
export type { IndexAdapter, IndexSetting, SecretSetting } from "@loci/store";
