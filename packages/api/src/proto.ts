// Every message, enumeration and service of the contract, under one name.
export * from "./gen/loci/v1/block.ts";
export * from "./gen/loci/v1/block_service.ts";
export * from "./gen/loci/v1/capture.ts";
export * from "./gen/loci/v1/capture_service.ts";
export * from "./gen/loci/v1/context.ts";
export * from "./gen/loci/v1/context_service.ts";
export * from "./gen/loci/v1/filter.ts";
export * from "./gen/loci/v1/maintenance.ts";
export * from "./gen/loci/v1/maintenance_service.ts";
export * from "./gen/loci/v1/memory.ts";
export * from "./gen/loci/v1/memory_service.ts";
export * from "./gen/loci/v1/operation.ts";
export * from "./gen/loci/v1/operation_service.ts";
export * from "./gen/loci/v1/recall.ts";
export * from "./gen/loci/v1/scope.ts";
export * from "./gen/loci/v1/session.ts";
export * from "./gen/loci/v1/session_service.ts";
