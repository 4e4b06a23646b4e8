import type { BlockOwner } from "./block-owner.ts";
import type { BlockValues } from "./block-schema.ts";
import { LociError } from "./error.ts";
import type { Etag, Ref, Version } from "./identifiers.ts";
import type { Instant } from "./instant.ts";
import { shownValue } from "./shown-value.ts";

/** What happens to a proposed edit: a person decides, it takes effect at once, or nothing may be changed. */
export const blockPolicies = ["approve", "auto", "read_only"] as const;

export type BlockPolicy = (typeof blockPolicies)[number];

/** Most blocks of one owner, beside the files of a memory tool. */
export const maxBlocksOfOwner: number = 64;

/** Most bytes of a block's TOML, as UTF-8. */
export const maxBlockBytes: number = 65_536;

/** Most UTF-16 units of a block's text form in a context, unless configured otherwise. Documents have a cap of their own. */
export const defaultBlockTextLength: number = 1500;

/** What that may be configured to. */
export const blockTextLengths: { readonly least: number; readonly most: number } = { least: 100, most: 100_000 };

/** A versioned document with fields, whole in every context of its owner. */
export interface Block {
  readonly ref: Ref;
  readonly owner: BlockOwner;
  /** `[a-z][a-z0-9_]{0,63}`, one of its kind at its owner. */
  readonly label: string;
  /** The name of its schema. */
  readonly schema: string;
  /** In normal form. */
  readonly values: BlockValues;
  readonly policy: BlockPolicy;
  readonly description?: string | undefined;
  readonly version: Version;
  readonly etag: Etag;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

/** One line of a block's history. */
export interface BlockVersion {
  readonly version: Version;
  /** The commit of the owner's git mirror that brought this version: 40 hexadecimal digits. */
  readonly commitId: string;
  /** Who proposed it. */
  readonly author: string;
  /** Who approved it, where that was another. */
  readonly approver?: string | undefined;
  readonly message: string;
  readonly at: Instant;
}

/** A list entry that left its block, on its way into archival memory. */
export interface ArchivedEntry {
  readonly field: string;
  readonly entry: string;
}

const label = /^[a-z][a-z0-9_]{0,63}$/;

/** @throws LociError `INVALID_BLOCK` unless the value is a label: `[a-z][a-z0-9_]{0,63}` */
export function blockLabel(value: unknown, field = "label"): string {
  if (typeof value === "string" && label.test(value)) return value;
  throw new LociError("INVALID_BLOCK", {
    message: `${field} is ${shownValue(value)}, which is not a label.`,
    field,
    advice: "A label is a small letter and then at most 63 small letters, digits and underscores.",
  });
}
