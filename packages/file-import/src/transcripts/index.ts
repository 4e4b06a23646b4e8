export { readTranscript, readTranscriptFile } from "./read-transcript.ts";
export * from "./transcript.ts";
