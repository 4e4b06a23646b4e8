export * from "./blocks/index.ts";
export * from "./import-conversations.ts";
export * from "./import-markdown.ts";
export { findMarkdownFiles } from "./find-markdown-files.ts";
export { importRoot } from "./import-root.ts";
export {
  addReports,
  emptyReport,
  type ImportProgress,
  type ImportReport,
  type LeftOutFile,
  type MissingFile,
  type RefusedFile,
} from "./import-report.ts";
export { otherFiles } from "./other-files.ts";
export type { TimeSource } from "./source-time.ts";
export { splitMarkdown } from "./split-markdown.ts";
export * from "./transcripts/index.ts";
