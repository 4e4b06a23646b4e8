import { type BlockOwner, formatBlockOwner, LociError, type NonEmpty, type Ref, throwIfAborted } from "@loci/domain";
import { blockFamily, blockOwnerFamily, editFamily } from "@loci/ledger";
import type { Call } from "../calls/call.ts";
import { uuidOfName } from "../calls/uuid-version-7.ts";
import { isErased, isVersionConflict } from "../calls/version-conflict.ts";
import type { BlockServices } from "./block-services.ts";
import { type OwnerState, type StoredBlock, storedBlock, type StoredEdit, storedEdit } from "./block-records.ts";

/** An owner of blocks as it was read. Version 0: it has had none yet. */
export interface KnownOwner {
  readonly owner: BlockOwner;
  readonly ref: Ref;
  readonly version: number;
  readonly state: OwnerState;
}

type Reading = Pick<BlockServices, "ledger">;

/** An owner may have been erased so many times, and have blocks again. */
const mostGenerations = 100;

/** Reads what is kept of an owner. */
export async function readOwner(
  { ledger }: Reading,
  call: Call,
  owner: BlockOwner,
  generation = 0,
): Promise<KnownOwner> {
  const { principal, signal } = call;
  const [stored] = await ledger.resources.list(
    principal.tenant,
    { family: blockOwnerFamily, scopes: [owner], limit: 1 },
    { signal },
  );
  if (stored !== undefined)
    return { owner, ref: stored.ref, version: stored.version, state: stored.state as OwnerState };
  return {
    owner,
    ref: uuidOfName(0, ["blockOwner", formatBlockOwner(owner), ...generationPart(generation)]),
    version: 0,
    state: { generation, head: null, blobs: {} },
  };
}

/** The ref of an owner's block, whether there is one or not. */
export function blockRef({ owner, state }: Pick<KnownOwner, "owner" | "state">, label: string): Ref {
  return uuidOfName(0, ["block", formatBlockOwner(owner), label, ...generationPart(state.generation)]);
}

/** Every ref that a block of the label may have had: an owner that was erased has others from then on. */
export function refsOfGenerations({ owner, version, state }: KnownOwner, label: string): readonly Ref[] {
  // Of an owner without anything nobody knows how often it was erased.
  const last = version === 0 ? mostGenerations : state.generation;
  return Array.from({ length: last + 1 }, (_, generation) =>
    blockRef({ owner, state: { ...state, generation } }, label),
  );
}

/** Blocks of an owner that were not removed, in the order of the labels asked for. */
export async function readBlocksOf(
  { ledger }: Reading,
  { principal, signal }: Call,
  owner: KnownOwner,
  labels: readonly string[],
): Promise<readonly StoredBlock[]> {
  const refs = labels.filter((label) => Object.hasOwn(owner.state.blobs, label)).map((label) => blockRef(owner, label));
  if (refs.length === 0) return [];
  const stored = await ledger.resources.get(principal.tenant, blockFamily, refs, { signal });
  return refs.flatMap((ref) => {
    const found = stored.get(ref);
    const block = found && storedBlock(found);
    return block === undefined ? [] : [block];
  });
}

/** @throws LociError `BLOCK_NOT_FOUND` */
export async function existingBlock(
  services: Reading,
  call: Call,
  owner: KnownOwner,
  label: string,
): Promise<StoredBlock> {
  const [block] = await readBlocksOf(services, call, owner, [label]);
  if (block !== undefined) return block;
  throw blockNotFound(owner.owner, label);
}

export function blockNotFound(owner: BlockOwner, label: string): LociError {
  return new LociError("BLOCK_NOT_FOUND", {
    message: `${formatBlockOwner(owner)} has no block ${label}.`,
    resource: label,
    advice: "List the owner's blocks, or create it.",
  });
}

/** The edits of a block that wait, in the order in which they were proposed. Some may be over their time. */
export async function pendingEdits(
  { ledger }: Reading,
  { principal, signal }: Call,
  block: Ref,
): Promise<readonly StoredEdit[]> {
  const found = await ledger.resources.list(
    principal.tenant,
    { family: editFamily, group: block, limit: 1_000 },
    { signal },
  );
  return found.map(storedEdit);
}

/** Somebody else has changed a block of the owner meanwhile. */
export class Outrun extends Error {}

/** Marks what a commit is refused for when what it was made for has changed. */
export async function committing<Result>(commit: Promise<Result>): Promise<Result> {
  try {
    return await commit;
  } catch (error) {
    if (isVersionConflict(error)) throw new Outrun("The owner has changed.", { cause: error });
    throw error;
  }
}

/**
 * Changes blocks of an owner, one call after the other in this process. Reads again and tries again when another process was
 * quicker.
 */
export async function changingOwner<Result>(
  services: BlockServices,
  call: Call,
  owner: BlockOwner,
  change: (known: KnownOwner) => Promise<Result>,
): Promise<Result> {
  const { principal, signal } = call;
  return services.blockOwners.run(`${principal.tenant}\n${formatBlockOwner(owner)}`, async () => {
    for (let generation = 0; ;) {
      throwIfAborted(signal);
      const known = await readOwner(services, call, owner, generation);
      try {
        return await change(known);
      } catch (error) {
        if (error instanceof Outrun) continue;
        // All of this owner was erased before: what it has from now on is something else.
        const isOfOwner = isErased(error) && error.resource !== undefined && known.version === 0;
        if (!isOfOwner || generation === mostGenerations) throw error;
        generation++;
      }
    }
  });
}

function generationPart(generation: number): readonly string[] {
  return generation === 0 ? [] : [String(generation)];
}

/** The owners' scopes, as queries take them. */
export function ownerScopes(owners: readonly BlockOwner[]): NonEmpty<BlockOwner> | undefined {
  const [first, ...others] = owners;
  return first && [first, ...others];
}
