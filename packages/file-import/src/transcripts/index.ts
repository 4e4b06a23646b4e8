export * from "./import-transcript.ts";
export { readTranscript, readTranscriptFile } from "./read-transcript.ts";
export * from "./transcript.ts";
