import type { OperationRegistry } from "./operation-registry.ts";

/** What answers calls about operations: the registry of a server, or what passes them on. */
export type ServedOperations = Pick<OperationRegistry, "start" | "get" | "wait" | "cancel">;
