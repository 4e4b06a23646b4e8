import { LociError } from "@loci/domain";

/** An operation that cannot be applied to the block as it is. `hunk` is its place in the edit. */
export function editConflict(hunk: number, field: string, fault: string): LociError {
  return new LociError("EDIT_CONFLICT", {
    message: `Operation ${hunk} cannot be applied: ${fault} in ${field}.`,
    field: `operations[${hunk}]`,
    advice: "Get the edit again to see the block as it is now, leave the operation out, or propose another.",
    details: { hunk: String(hunk) },
  });
}

/** An operation that no version of the block could take. */
export function invalidOperation(hunk: number, fault: string, advice: string): LociError {
  return new LociError("INVALID_BLOCK", {
    message: `Operation ${hunk} ${fault}.`,
    field: `operations[${hunk}]`,
    advice,
    details: { hunk: String(hunk) },
  });
}
