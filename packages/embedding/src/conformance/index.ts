export { embedderConformance, type EmbedderConformanceOptions } from "./embedder-conformance.ts";
