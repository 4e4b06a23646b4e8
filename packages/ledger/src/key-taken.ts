import { formatScope, LociError, type Scope, shownText } from "@loci/domain";

/** Another memory of the scope has the key. */
export function keyTaken(scope: Scope, key: string): LociError {
  const resource = formatScope(scope);
  return new LociError("MEMORY_EXISTS", {
    message: `The scope ${resource} has a memory with the key ${shownText(key, 80)} already.`,
    field: "key",
    resource,
    advice:
      "Change that memory, forget it first, or use another key. update with allowMissing makes or changes, whichever it takes.",
  });
}
