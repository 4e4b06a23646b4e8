export { lociProcessor, type LociProcessor, type LociProcessorOptions } from "./loci-processor.ts";
export { lociTools, type LociToolName, type LociTools, type LociToolsOptions } from "./loci-tools.ts";
export type { Conversation, RecalledBlock } from "@loci/agent";
