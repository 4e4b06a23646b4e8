export { lociMemory, type LociMemory, type LociMemoryOptions } from "./loci-memory.ts";
