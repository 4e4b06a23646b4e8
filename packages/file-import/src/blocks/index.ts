export * from "./import-blocks.ts";
export type { SkippedFile } from "./read-block-folder.ts";
