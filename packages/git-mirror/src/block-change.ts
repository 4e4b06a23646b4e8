import { type Instant, LociError, parseInstant, shownText } from "@loci/domain";

/** A version of a block, or its removal, as the log has it. */
export interface BlockChange {
  /** `[a-z][a-z0-9_]{0,63}`: it becomes the name of a file. */
  readonly label: string;
  /** From 1 on. */
  readonly version: number;
  /** The whole file; null when the block was removed. */
  readonly toml: string | null;
  /** When the version was written: not before 1970. */
  readonly at: Instant;
  readonly proposer: string;
  /** Null when nobody approved it: then the proposer is the committer too. */
  readonly approver: string | null;
  /** What the change is for; empty when nobody said. */
  readonly reason: string;
}

/**
 * Checks what would become a path or a number in an object. Texts need no check: they are made inert where they are written.
 *
 * @throws LociError `INVALID_IDENTIFIER` for a label that is no plain file name, `INVALID_NUMBER` for a version that is not a
 * whole number from 1 on, `INVALID_INSTANT` for a time that git could not read back
 */
export function checkBlockChange(change: BlockChange): void {
  // Without the `m` flag `$` matches at the end alone, so no line break gets into a path.
  if (!/^[a-z][a-z0-9_]{0,63}$/.test(change.label))
    throw new LociError("INVALID_IDENTIFIER", {
      message: `The label of a block must be a small letter and up to 63 small letters, digits and _, but is ${shownText(change.label, 80)}.`,
      field: "label",
      advice: "Use a label such as human or core_memory.",
    });
  if (!Number.isSafeInteger(change.version) || change.version < 1)
    throw new LociError("INVALID_NUMBER", {
      message: `The version of block ${change.label} must be a whole number from 1 on, but is ${change.version}.`,
      field: "version",
      advice: "Pass the version as the log has it.",
    });
  if (parseInstant(change.at, "at") < 0)
    throw new LociError("INVALID_INSTANT", {
      message: `Version ${change.version} of block ${change.label} was written before 1970, which git cannot say.`,
      field: "at",
      advice: "Pass the time as the log has it.",
    });
}
