import { type BlockOperation, BlockOperationKind, type BlockValue } from "@loci/api-web";

/** A value of a field as one text, the entries of a list on lines of their own. */
export function blockValueText(value: BlockValue | undefined): string {
  if (value === undefined) return "";
  const { kind } = value;
  if (kind.case === "entries") return kind.value.entries.join("\n");
  return kind.case === undefined ? "" : String(kind.value);
}

/** What an operation takes away and what it brings. */
export interface OperationWords {
  readonly says: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

export function operationWords({ op, value, old }: BlockOperation): OperationWords {
  const text = blockValueText(value);
  if (op === BlockOperationKind.APPEND) return { says: "adds to", before: undefined, after: text };
  if (op === BlockOperationKind.REMOVE) return { says: "removes from", before: text, after: undefined };
  if (op === BlockOperationKind.REPLACE) return { says: "replaces in", before: old, after: text };
  return { says: "sets", before: undefined, after: text };
}
