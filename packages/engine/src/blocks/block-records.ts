import { type AdaptiveThreshold, readBlockToml, shippedSchemas } from "@loci/core";
import {
  type Block,
  type BlockEdit,
  type BlockOperation,
  type BlockOwner,
  type BlockPolicy,
  type BlockSchema,
  type BlockValues,
  type BlockVersion,
  etagOf,
  type Instant,
  type Ref,
  type Version,
} from "@loci/domain";
import type { LogEntry, StoredResource } from "@loci/ledger";

/** What happened to a block: the kinds of its entries. */
export const blockWritten = "blockWritten";
export const blockRemoved = "blockRemoved";

/** What the ledger keeps as the current state of a block. One that was removed has a state too, so that its removal has an author. */
export interface BlockState {
  readonly label: string;
  readonly isRemoved?: true;
  readonly schema: string;
  /** The schema itself, unless it comes with Loci: a block can be read when its schema is gone. */
  readonly form?: BlockSchema;
  readonly values: BlockValues;
  readonly policy: BlockPolicy;
  readonly description?: string;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly commitId: string;
  /** The last version that an import brought, and its commit where it comes from. Absent: none did. */
  readonly arrival?: BlockArrival;
}

export interface BlockArrival {
  readonly version: Version;
  readonly commitId: string;
}

// Without where it comes from, which goes on with a block like what is not known.
const fieldsOfState: Readonly<Record<Exclude<keyof BlockState, "arrival">, true>> = {
  label: true,
  isRemoved: true,
  schema: true,
  form: true,
  values: true,
  policy: true,
  description: true,
  createdAt: true,
  updatedAt: true,
  commitId: true,
};

/** What a newer version of Loci keeps of a block besides: it goes on with the block. */
export function furtherFields(state: BlockState): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(state).filter(([field]) => !Object.hasOwn(fieldsOfState, field)));
}

/** What an entry of the log keeps of a version of a block: all that a mirror, a history and a restoration need. */
export interface BlockRecord {
  /** Such as `user:alice`: an entry of the log does not say where it belongs. */
  readonly owner: string;
  readonly label: string;
  readonly schema: string;
  /** Null: the block was removed. */
  readonly toml: string | null;
  readonly policy: BlockPolicy;
  readonly description?: string;
  readonly createdAt: Instant;
  readonly at: Instant;
  readonly author: string;
  readonly approver?: string;
  /** The message of the commit. */
  readonly message: string;
  readonly reason: string;
  /** What it did to the version before. */
  readonly operations: readonly BlockOperation[];
  readonly commitId: string;
}

/** What the ledger keeps of an owner of blocks. Each change of its blocks writes it, so that they come one after the other. */
export interface OwnerState {
  /** How often all of this owner was erased: what was erased keeps its refs for good. */
  readonly generation: number;
  /** Where the git mirror stands. */
  readonly head: string | null;
  /** The file of each block there is. */
  readonly blobs: Readonly<Record<string, string>>;
  /** Absent: no human block was written yet. */
  readonly threshold?: AdaptiveThreshold;
}

/** What the ledger keeps of an edit. */
export interface EditState extends Omit<BlockEdit, "id"> {
  /** Such as `user:alice`. */
  readonly owner: string;
  readonly label: string;
}

/** A block there is, with its schema. */
export interface StoredBlock {
  readonly ref: Ref;
  readonly owner: BlockOwner;
  readonly version: Version;
  readonly state: BlockState;
  readonly schema: BlockSchema;
}

/** A pending edit as it is stored. */
export interface StoredEdit {
  readonly owner: BlockOwner;
  readonly version: Version;
  readonly label: string;
  readonly edit: BlockEdit;
}

/** @returns `undefined` for a block that was removed */
export function storedBlock({ ref, scope, version, state }: StoredResource): StoredBlock | undefined {
  const known = state as BlockState;
  if (known.isRemoved === true) return undefined;
  const schema = known.form ?? shippedSchemas.find(({ name }) => name === known.schema);
  return schema && { ref, owner: scope as BlockOwner, version, state: known, schema };
}

export function storedEdit({ ref, scope, version, state }: StoredResource): StoredEdit {
  const { label, owner: _, ...edit } = state as EditState;
  return { owner: scope as BlockOwner, version, label, edit: { id: ref, ...edit } };
}

/** A block as callers see it. */
export function blockView({ ref, owner, version, state }: StoredBlock): Block {
  const { label, schema, values, policy, description, createdAt, updatedAt } = state;
  return {
    ref,
    owner,
    label,
    schema,
    values,
    policy,
    ...(description === undefined ? {} : { description }),
    version,
    etag: etagOf(ref, version),
    createdAt,
    updatedAt,
  };
}

/** A former version, which was not a removal. */
export function blockOfEntry(
  { ref, owner, schema }: Omit<StoredBlock, "version" | "state">,
  entry: LogEntry,
): StoredBlock {
  const { label, toml, policy, description, createdAt, at, commitId, schema: name } = entry.payload as BlockRecord;
  const values = toml === null ? {} : readBlockToml(schema, toml);
  const kept = { label, schema: name, values, policy, createdAt, updatedAt: at, commitId };
  return {
    ref,
    owner,
    schema,
    version: entry.version,
    state: description === undefined ? kept : { ...kept, description },
  };
}

/** A line of a block's history. */
export function blockVersion({ version, payload }: LogEntry): BlockVersion {
  const { commitId, author, approver, message, at } = payload as BlockRecord;
  return { version, commitId, author, ...(approver === undefined ? {} : { approver }), message, at };
}
