export { embedderConformance, type EmbedderConformanceOptions, type TestApi } from "./embedder-conformance.ts";
