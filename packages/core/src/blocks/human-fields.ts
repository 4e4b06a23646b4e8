import type { BlockField } from "@loci/domain";
import { shippedSchema } from "./shipped-schemas.ts";

/** What the session with a user is doing. */
export const sessionStates = ["idle", "active_task", "waiting_input", "thinking", "error_recovery"] as const;

export type SessionState = (typeof sessionStates)[number];

/** The fields of the shipped human block, which its calls and its rotation know by name. */
export const humanFields: readonly BlockField[] = shippedSchema("human").fields;
