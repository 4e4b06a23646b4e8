import {
  blockText,
  checkBlockValues,
  type EditedBlock,
  expireEdits,
  humanText,
  isDocument,
  rotateFreeText,
  rotateHuman,
  writeDirectly,
} from "@loci/core";
import {
  type ArchivedEntry,
  type BlockOperation,
  type BlockSchema,
  blockValue,
  type BlockValues,
  type Instant,
  type Version,
} from "@loci/domain";
import { blockFamily, type Idempotency } from "@loci/ledger";
import type { Call } from "../calls/call.ts";
import { answerOf } from "./answered-block.ts";
import { lastingFacts } from "./archived-memories.ts";
import { type KnownOwner, Outrun, pendingEdits, readBlocksOf } from "./block-owners.ts";
import type { BlockRecord, StoredBlock, StoredEdit } from "./block-records.ts";
import type { BlockServices } from "./block-services.ts";
import { OwnerChange, rotationAuthor } from "./owner-change.ts";

/** What a write is made for, and under which key. */
export interface WritePlace {
  readonly known: KnownOwner;
  readonly block: StoredBlock;
  readonly idempotency: Idempotency | undefined;
}

/** What is committed, and what it writes. */
export interface CommittedChange {
  readonly change: OwnerChange;
  readonly written: StoredBlock;
  readonly idempotency: Idempotency | undefined;
}

/**
 * Commits a change of a block. Of a human block that has grown too much, a second commit makes room: author `rotation`.
 *
 * @returns the block as it stands then
 */
export async function commitAndRotate(
  services: BlockServices,
  call: Call,
  { change, written, idempotency }: CommittedChange,
): Promise<StoredBlock> {
  const length = humanLength(written);
  const rotates =
    length !== undefined &&
    change.decideRotation(services.blockSettings, length, await personaOf(services, call, change));
  const committed = await change.commit(services, call, { idempotency });
  if (committed.replayed) {
    const answered = await answerOf(services, call, committed.results, written.owner);
    return answered.block ?? written;
  }
  if (!rotates) return written;
  try {
    return await rotateBlock(services, call, change.after, written);
  } catch (error) {
    // Somebody else has written it meanwhile: what they wrote is rotated then.
    if (error instanceof Outrun) return written;
    throw error;
  }
}

/** How long the text of a human block is: of its entries, or of one free text. `undefined` for a block of another kind. */
function humanLength({ schema, state }: StoredBlock): number | undefined {
  if (schema.name === "human" && state.form === undefined) return humanText(state.values).length;
  return isFreeText(schema, state.label) ? freeTextOf(state.values).length : undefined;
}

function isFreeText(schema: BlockSchema, label: string): boolean {
  // A core memory has a cap of its own, which its writers keep to.
  return label === "human" && isDocument(schema) && schema.name !== "core_memory";
}

function freeTextOf(values: BlockValues): string {
  return String(blockValue(values, "text") ?? "");
}

async function personaOf(services: BlockServices, call: Call, change: OwnerChange): Promise<number | undefined> {
  const [persona] = await readBlocksOf(services, call, change.after, ["persona"]);
  return persona && blockText(persona.schema, persona.state.values).length;
}

async function rotateBlock(
  services: BlockServices,
  call: Call,
  known: KnownOwner,
  block: StoredBlock,
): Promise<StoredBlock> {
  const now = services.clock();
  const { state, schema, ref } = block;
  const rotation = roomMade(services.blockSettings, block, now);
  if (rotation === undefined) return block;
  const { values, operations, archived, removed } = rotation;
  const stored = await pendingEdits(services, call, ref);
  const edited = await editedBlock(services, call, block, stored);
  const direct = writeDirectly(
    edited,
    expireEdits(
      stored.map(({ edit }) => edit),
      now,
    ),
    { applied: { values, archived: [] }, operations },
  );
  const change = new OwnerChange(known, now);
  const { label, policy, description, createdAt } = state;
  const by = { author: rotationAuthor, reason: `Make room in ${label}` };
  const isShipped = state.form === undefined;
  const draft = { label, schema, isShipped, values, policy, description, operations };
  const written = change.writeBlock(draft, { version: block.version, createdAt, state }, by);
  change.writeChangedEdits(stored, direct.edits);
  change.archive(services, label, [{ category: "note", text: archived }, ...lastingFacts(removed)]);
  await change.commit(services, call, { activity: "rotation" });
  return written;
}

/** What a human block holds once room was made in it; `undefined` when none can be. */
interface RoomMade {
  readonly values: BlockValues;
  readonly operations: readonly BlockOperation[];
  readonly archived: string;
  /** The entries that went, of a block of fields. */
  readonly removed: readonly ArchivedEntry[];
}

function roomMade(
  { maxChars, rotation: strategy }: BlockServices["blockSettings"],
  { schema, state: { label, values } }: StoredBlock,
  now: Instant,
): RoomMade | undefined {
  if (isFreeText(schema, label)) {
    const before = freeTextOf(values);
    const { text, archived } = rotateFreeText(before, { maxChars, strategy }, now);
    const operations = [{ op: "set", field: "text", value: text }] as const;
    return text === before
      ? undefined
      : { values: checkBlockValues(schema, { text }), operations, archived, removed: [] };
  }
  const rotation = rotateHuman(values, { maxChars, threshold: 0 }, now);
  if (!rotation.rotated || rotation.removed.length === 0) return undefined;
  const operations = rotation.removed.map(({ field, entry }) => ({ op: "remove" as const, field, value: entry }));
  return { values: rotation.values, operations, archived: rotation.archived, removed: rotation.removed };
}

/** How many entries are read at a time. */
const stretch = 500;

/** A block as edits concern it: with what its versions did since the oldest base of an edit. */
export async function editedBlock(
  { ledger }: Pick<BlockServices, "ledger">,
  { principal, signal }: Call,
  { ref, schema, state, version }: StoredBlock,
  pending: readonly Pick<StoredEdit, "edit">[],
): Promise<EditedBlock> {
  const changes: { version: Version; operations: readonly BlockOperation[] }[] = [];
  let after = Math.min(version, ...pending.map(({ edit }) => edit.baseVersion));
  while (after < version) {
    const entries = await ledger.resources.entries(
      principal.tenant,
      { family: blockFamily, ref, after, order: "oldestFirst", limit: stretch },
      { signal },
    );
    for (const entry of entries)
      changes.push({ version: entry.version, operations: (entry.payload as BlockRecord).operations });
    const last = entries.at(-1);
    if (last === undefined) break;
    after = last.version;
  }
  return { schema, values: state.values, version, changes };
}
