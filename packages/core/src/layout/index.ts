export * from "./check-layout.ts";
export * from "./fill-sections.ts";
export { isFolder } from "./file-sources.ts";
export * from "./find-layout.ts";
export * from "./layered-files.ts";
export type { Layout, LayoutSection } from "./layout.ts";
export * from "./memory-blocks.ts";
export * from "./parse-layout.ts";
export * from "./three-tier.ts";
