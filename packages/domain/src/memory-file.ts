import { LociError } from "./error.ts";
import { shownValue } from "./shown-value.ts";

/** The schema of blocks that are files of a memory tool: what a model keeps for itself under paths, and looks up. */
export const memoryFileSchema = "memory_file";

/** Most files of one owner. They do not count as its blocks, and are not listed with them. */
export const maxMemoryFilesOfOwner: number = 1000;

const fileLabel = /^memory_file_[0-9a-f]{32}$/;

/** Whether a label is that of a file of a memory tool: `memory_file_` and 32 hexadecimal digits. */
export function isMemoryFileLabel(label: string): boolean {
  return fileLabel.test(label);
}

/** @throws LociError `INVALID_BLOCK` for a file under the label of another block, or another block under that of a file */
export function checkMemoryFileLabel(label: string, schema: string): void {
  if (isMemoryFileLabel(label) === (schema === memoryFileSchema)) return;
  throw new LociError("INVALID_BLOCK", {
    message: `A block of the schema ${shownValue(schema)} cannot have the label ${label}.`,
    field: "label",
    advice: `The label of a ${memoryFileSchema} is memory_file_ and 32 hexadecimal digits, and no other block has such a label.`,
  });
}
