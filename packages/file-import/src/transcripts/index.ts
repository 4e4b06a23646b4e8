export * from "./import-transcript.ts";
export { isTranscriptFile, readTranscript, readTranscriptFile } from "./read-transcript.ts";
export * from "./transcript.ts";
