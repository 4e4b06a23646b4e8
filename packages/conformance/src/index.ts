export type { CaseFile, ConformanceCase, KnownFailures } from "./case-file.ts";
export { recordCalls, type RecordingOptions } from "./record-calls.ts";
export { registerSuite, type Suite } from "./register-suite.ts";
export type { TestApi } from "./test-api.ts";
