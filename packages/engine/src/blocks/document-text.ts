import { isDocument } from "@loci/core";
import { blockValue, LociError } from "@loci/domain";
import type { StoredBlock } from "./block-records.ts";

/** The text of a block that is a document. @throws LociError `INVALID_BLOCK` for another one */
export function documentText({ schema, state }: Pick<StoredBlock, "schema" | "state">): string {
  if (isDocument(schema)) return String(blockValue(state.values, "text") ?? "");
  throw new LociError("INVALID_BLOCK", {
    message: `The block ${state.label} is no document: its schema is ${schema.name}.`,
    resource: state.label,
    advice: "Name a block of the schema core_memory, or another of the single text field text.",
  });
}
