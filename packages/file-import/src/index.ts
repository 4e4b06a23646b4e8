export * from "./blocks/index.ts";
export * from "./import-conversations.ts";
export * from "./import-markdown.ts";
export { addReports, emptyReport, type ImportProgress, type ImportReport } from "./import-report.ts";
export type { TimeSource } from "./source-time.ts";
export { splitMarkdown } from "./split-markdown.ts";
export * from "./transcripts/index.ts";
