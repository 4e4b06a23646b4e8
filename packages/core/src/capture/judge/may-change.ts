import type { CaptureInput } from "../capture-input.ts";
import type { KnownMemory } from "./read-memory.ts";

/** Whether a capture changes memories of a scope by itself. Those of the project wait, unless for who may approve. */
export function mayChange(
  { scope }: Pick<KnownMemory, "scope">,
  { projectScope, mayApprove }: Pick<CaptureInput, "projectScope" | "mayApprove">,
): boolean {
  return projectScope === undefined || mayApprove === true || scope !== projectScope;
}
