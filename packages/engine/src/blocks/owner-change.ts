import { adaptThreshold, diffBlockValues, rotationThresholds, rotationUsage, writeBlockToml } from "@loci/core";
import {
  type BlockEdit,
  type BlockOperation,
  type BlockPolicy,
  type BlockSchema,
  type BlockValues,
  formatBlockOwner,
  type Instant,
  isMemoryFileLabel,
  maxBlocksOfOwner,
  maxMemoryFilesOfOwner,
  LociError,
  type Ref,
} from "@loci/domain";
import { mirrorBlockChange } from "@loci/git-mirror";
import {
  blockFamily,
  blockOwnerFamily,
  type Committed,
  editFamily,
  type Expectation,
  type Idempotency,
  type ResourceChange,
  type StoredMemory,
} from "@loci/ledger";
import type { Call } from "../calls/call.ts";
import { commitWithMemories, type MemoryWrite } from "../memories/commit-memories.ts";
import {
  type ArchivedMemory,
  archivedEntries,
  archivedMemories,
  isArchivedOf,
  knownArchived,
} from "./archived-memories.ts";
import { blockRef, committing, type KnownOwner } from "./block-owners.ts";
import {
  type BlockArrival,
  type BlockRecord,
  type BlockState,
  blockRemoved,
  blockWritten,
  furtherFields,
  type OwnerState,
  type StoredBlock,
  type StoredEdit,
} from "./block-records.ts";
import type { BlockServices } from "./block-services.ts";
import { type SightChange, sightChange } from "./out-of-sight.ts";

/** A version of a block to be written. */
export interface BlockVersionDraft {
  readonly label: string;
  readonly schema: BlockSchema;
  /** Whether the schema comes with Loci. */
  readonly isShipped: boolean;
  readonly values: BlockValues;
  readonly policy: BlockPolicy;
  readonly description?: string | undefined;
  readonly operations: readonly BlockOperation[];
}

/** A version that an import brings, with what is known of it where it comes from. */
export interface ArrivedVersion extends BlockVersionDraft, Authorship {
  /** Null: the block was removed. */
  readonly toml: string | null;
  readonly version: number;
  readonly createdAt: Instant;
  readonly at: Instant;
  readonly arrival: BlockArrival;
}

/** Who is behind a version, and why. */
export interface Authorship {
  readonly author: string;
  readonly approver?: string | undefined;
  /** Default: what happened to which block. */
  readonly reason?: string | undefined;
}

/** Whose name stands by versions that make room. */
export const rotationAuthor = "rotation";

/** Whose block it was, or that none of the label ever was. */
export interface FormerBlock {
  readonly version: number;
  readonly createdAt?: Instant | undefined;
  /** As it stands; absent where there is none now. */
  readonly state?: BlockState | undefined;
}

/** More fields than these are not named one by one. */
const mostNamedFields = 8;

/** What a version is for that nobody gave a reason for: which fields it changes. Empty where it changes none, or many. */
function changeOf({ label, schema, values }: BlockVersionDraft, { state }: FormerBlock): string {
  const changed = diffBlockValues(schema, state?.values ?? {}, values);
  const isNamed = schema.fields.length > 1 && changed.length > 0 && changed.length <= mostNamedFields;
  return isNamed ? `Update ${label}: ${changed.map(({ field }) => field).join(", ")}` : "";
}

/** One change of an owner's blocks on its way into one commit. */
export class OwnerChange {
  readonly #owner: KnownOwner;
  readonly #now: Instant;
  readonly #expect: Expectation[] = [];
  readonly #changes: ResourceChange[] = [];
  readonly #archived: MemoryWrite[] = [];
  readonly #sights: SightChange[] = [];
  #state: OwnerState;

  constructor(owner: KnownOwner, now: Instant) {
    this.#owner = owner;
    this.#state = owner.state;
    this.#now = now;
  }

  /** The owner as it is once this is committed. */
  get after(): KnownOwner {
    return { ...this.#owner, version: this.#owner.version + 1, state: this.#state };
  }

  /** @throws LociError `BLOCK_LIMIT_EXCEEDED` for the 65th block, or the 1,001st file of a memory tool */
  writeBlock(draft: BlockVersionDraft, former: FormerBlock, by: Authorship): StoredBlock {
    const { label, schema, isShipped, values, policy, description } = draft;
    const isNew = !Object.hasOwn(this.#state.blobs, label);
    if (isNew) checkCount(Object.keys(this.#state.blobs), label);
    const createdAt = former.createdAt ?? this.#now;
    const further = former.state === undefined ? {} : furtherFields(former.state);
    const toml = writeBlockToml(schema, values);
    const reason = by.reason ?? (isNew ? `Create ${label}` : changeOf(draft, former));
    const version = former.version + 1;
    const state = this.#put({ ...draft, toml, createdAt }, { version, reason, kind: blockWritten }, by, (commitId) => ({
      ...further,
      label,
      schema: schema.name,
      ...(isShipped ? {} : { form: schema }),
      values,
      policy,
      ...(description === undefined ? {} : { description }),
      createdAt,
      updatedAt: this.#now,
      commitId,
    }));
    const sight = sightChange(former.state, state);
    // What rotation takes out has left the block, and is archived with it.
    this.#sights.push(by.author === rotationAuthor ? { ...sight, withdrawn: [] } : sight);
    return { ref: blockRef(this.#owner, label), owner: this.#owner.owner, version, state, schema };
  }

  /**
   * A version as it was made elsewhere, at its own time: with the same versions before it, it is the same commit.
   *
   * @throws LociError `BLOCK_LIMIT_EXCEEDED` as for `writeBlock`
   */
  takeBlock(arrived: ArrivedVersion, former: Pick<FormerBlock, "version" | "state">): BlockState {
    const { label, schema, isShipped, values, policy, description, createdAt, at, arrival } = arrived;
    const isThere = arrived.toml !== null;
    if (isThere && !Object.hasOwn(this.#state.blobs, label)) checkCount(Object.keys(this.#state.blobs), label);
    const toml = isThere ? writeBlockToml(schema, values) : null;
    const further = former.state === undefined ? {} : furtherFields(former.state);
    const kind = isThere ? blockWritten : blockRemoved;
    const place = { version: former.version + 1, reason: arrived.reason ?? "", kind, at };
    return this.#put({ ...arrived, toml, createdAt }, place, arrived, (commitId) => ({
      ...further,
      label,
      ...(isThere ? {} : { isRemoved: true as const }),
      schema: schema.name,
      ...(isShipped ? {} : { form: schema }),
      values,
      policy,
      ...(description === undefined ? {} : { description }),
      createdAt,
      updatedAt: at,
      commitId,
      arrival,
    }));
  }

  get isEmpty(): boolean {
    return this.#changes.length === 0;
  }

  removeBlock({ version, state, schema }: StoredBlock, by: Authorship): void {
    const { label, policy, description, createdAt } = state;
    const isShipped = state.form === undefined;
    const draft = { label, schema, isShipped, values: {}, policy, description, operations: [] };
    this.#sights.push(sightChange(state, { ...state, values: {} }));
    this.#put(
      { ...draft, toml: null, createdAt },
      { version: version + 1, reason: by.reason ?? "", kind: blockRemoved },
      by,
      (commitId): BlockState => ({ ...state, isRemoved: true, values: {}, updatedAt: this.#now, commitId }),
    );
  }

  /** An edit in its next version; the group of one that waits is its block. */
  writeEdit({ edit, label, version }: Pick<StoredEdit, "edit" | "label" | "version">): void {
    const { id, ...state } = edit;
    const block = blockRef(this.#owner, label);
    const ref = id as Ref;
    this.#expect.push({ ref, version });
    this.#changes.push({
      type: "resourceWritten",
      family: editFamily,
      kind: "editWritten",
      ref,
      version: version + 1,
      scope: this.#owner.owner,
      group: edit.state === "pending" ? block : `${block}/decided`,
      state: { owner: formatBlockOwner(this.#owner.owner), label, ...state },
    });
  }

  /** The edits that are other than they were stored. */
  writeChangedEdits(stored: readonly StoredEdit[], edits: readonly BlockEdit[]): void {
    for (const [index, before] of stored.entries()) {
      const edit = edits[index];
      if (edit !== undefined && edit !== before.edit) this.writeEdit({ ...before, edit });
    }
  }

  /** What left a block becomes memories of its owner. */
  archive(services: BlockServices, label: string, texts: readonly ArchivedMemory[]): void {
    this.#archived.push(...archivedMemories(services, { owner: this.#owner.owner, label, now: this.#now }, texts));
  }

  /**
   * Whether a human block has grown so much that room has to be made. An adaptive threshold learns from it.
   *
   * @param humanLength UTF-16 units of its text
   * @param personaLength those of the owner's persona, if it has one
   */
  decideRotation(
    { maxChars: max, rotation, threshold }: BlockServices["blockSettings"],
    humanLength: number,
    personaLength: number | undefined,
  ): boolean {
    const persona = personaLength === undefined ? undefined : { length: personaLength, max };
    const usage = rotationUsage({ length: humanLength, max }, persona);
    if (rotation !== "adaptive") return usage > rotationThresholds[rotation];
    const { rotate, after } = adaptThreshold(this.#state.threshold ?? { threshold, usages: [] }, usage);
    this.#state = { ...this.#state, threshold: after };
    return rotate;
  }

  /** @returns what was committed; a replayed commit has written nothing */
  async commit(
    services: BlockServices,
    call: Call,
    how: { readonly idempotency?: Idempotency | undefined; readonly activity?: string | undefined },
  ): Promise<Committed> {
    const { ref, version, owner } = this.#owner;
    const { writes, withdrawn } = await this.#memories(services, call);
    const resources = {
      expect: [
        ...this.#expect,
        ...withdrawn.map(({ memory }) => ({ ref: memory.id, version: memory.version })),
        { ref, version },
      ],
      changes: [
        ...this.#changes,
        ...withdrawn.map(({ memory }) => ({
          type: "memoryRemoved" as const,
          ref: memory.id,
          version: memory.version + 1,
          removedAt: this.#now,
        })),
        {
          type: "resourceWritten" as const,
          family: blockOwnerFamily,
          kind: "ownerWritten",
          ref,
          version: version + 1,
          scope: owner,
          state: this.#state,
          // The state is made of the entries of its blocks.
          payload: {},
        },
      ],
    };
    const commit = commitWithMemories(services, call, { writes, resources, ...how });
    return (await committing(commit)).committed;
  }

  /**
   * What becomes a memory by this change, and which memories end with it. An entry that contexts no longer show is found by
   * recall instead; one that is taken out of the block goes with it. What is a memory already is not stored again.
   */
  async #memories(
    services: BlockServices,
    { principal, signal }: Call,
  ): Promise<{ readonly writes: readonly MemoryWrite[]; readonly withdrawn: readonly StoredMemory[] }> {
    for (const { label, hidden } of this.#sights) this.archive(services, label, archivedEntries(hidden));
    const leaving = new Set(this.#archived.map(({ memory }) => memory.text));
    const gone = this.#sights.flatMap(({ label, withdrawn }) =>
      withdrawn.filter(({ entry }) => !leaving.has(entry)).map(({ entry }) => ({ label, entry })),
    );
    const texts = [...leaving, ...gone.map(({ entry }) => entry)];
    if (texts.length === 0) return { writes: [], withdrawn: [] };
    const known = await knownArchived(services, { tenant: principal.tenant, scope: this.#owner.owner, texts, signal });
    const there = new Set(known.map(({ memory }) => memory.text));
    return {
      // Of one text, the first.
      writes: this.#archived.filter(({ memory: { text } }) => !there.has(text) && there.add(text)),
      withdrawn: known.filter(({ memory }) =>
        gone.some(({ label, entry }) => memory.text === entry && isArchivedOf(memory, label)),
      ),
    };
  }

  #put(
    draft: BlockVersionDraft & { readonly toml: string | null; readonly createdAt: Instant },
    { version, reason, kind, at = this.#now }: VersionPlace,
    { author, approver }: Authorship,
    stateOf: (commitId: string) => BlockState,
  ): BlockState {
    const { label, toml, schema, policy, description, operations, createdAt } = draft;
    const { head, blobs } = this.#state;
    const isSame = approver === undefined || approver === author;
    const step = mirrorBlockChange(
      { head, blobs: new Map(Object.entries(blobs)) },
      { label, version, toml, at, proposer: author, approver: isSame ? null : approver, reason },
    );
    const [message = ""] = step.message.split("\n\nBlock: ");
    const record: BlockRecord = {
      owner: formatBlockOwner(this.#owner.owner),
      label,
      schema: schema.name,
      toml,
      policy,
      ...(description === undefined ? {} : { description }),
      createdAt,
      at,
      author,
      ...(isSame ? {} : { approver }),
      message,
      reason,
      operations,
      commitId: step.commit,
    };
    const ref = blockRef(this.#owner, label);
    const state = stateOf(step.commit);
    // Of several versions in one commit, the first says what is expected.
    if (!this.#changes.some((change) => change.ref === ref)) this.#expect.push({ ref, version: version - 1 });
    this.#changes.push({
      type: "resourceWritten",
      family: blockFamily,
      kind,
      ref,
      version,
      scope: this.#owner.owner,
      // What a schema is used by is found by it.
      group: toml === null ? undefined : schema.name,
      state,
      payload: record,
    });
    this.#state = { ...this.#state, head: step.state.head, blobs: Object.fromEntries(step.state.blobs) };
    return state;
  }
}

/** Which version is put, and as what. */
interface VersionPlace {
  readonly version: number;
  readonly reason: string;
  readonly kind: string;
  /** Default now. */
  readonly at?: Instant | undefined;
}

/** @throws LociError `BLOCK_LIMIT_EXCEEDED` when there may be no further one */
function checkCount(labels: readonly string[], label: string): void {
  const isFile = isMemoryFileLabel(label);
  const most = isFile ? maxMemoryFilesOfOwner : maxBlocksOfOwner;
  if (labels.filter((other) => isMemoryFileLabel(other) === isFile).length < most) return;
  throw new LociError("BLOCK_LIMIT_EXCEEDED", {
    message: `The owner has ${most} ${isFile ? "files" : "blocks"}, which is as many as there may be.`,
    field: "owner",
    advice: "Delete one that is not needed, or join two.",
  });
}
