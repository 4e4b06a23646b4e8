import { blockText, isDocument, readCoreMemory } from "@loci/core";
import {
  type BlockOwner,
  blockOwnerKinds,
  blockValue,
  type BlockValues,
  formatScope,
  type Ref,
  type Scope,
} from "@loci/domain";
import { blockFamily, blockOwnerFamily, type StoredResource } from "@loci/ledger";
import type { Call } from "../calls/call.ts";
import { blockRef } from "./block-owners.ts";
import { countLookup } from "../calls/engine-metrics.ts";
import type { BlockReadings, OwnerReading } from "./block-readings.ts";
import type { ShownBlock } from "./shown-block.ts";
import { type OwnerState, storedBlock } from "./block-records.ts";
import type { BlockServices } from "./block-services.ts";

/** What blocks are read with. */
export interface BlockReadingServices extends Pick<BlockServices, "ledger"> {
  readonly blockReadings: BlockReadings;
}

/** The label of the block that holds a core memory. */
export const coreMemoryLabel = "core_memory";

/** What a context shows of the blocks of some owners. */
export interface BlocksOfOwners {
  readonly blocks: readonly ShownBlock[];
  /** The first owner with a core memory, where none is wanted: `agent:coach`. */
  readonly withoutPlace?: string | undefined;
}

/**
 * Blocks of some owners for a context: in the order of the owners, then of the labels. The caller has made sure that the
 * principal may read what is the owners'. Of an owner who has not changed since the last time only that is read.
 *
 * @param owners scopes of other kinds have no blocks
 * @param labels what is wanted; every other block is not read
 */
export async function readBlocks(
  { ledger, blockReadings }: BlockReadingServices,
  { principal, signal }: Call,
  owners: readonly Scope[],
  labels: ReadonlySet<string>,
): Promise<BlocksOfOwners> {
  const [first, ...others] = owners.filter(({ kind }) => blockOwnerKinds.some((known) => known === kind));
  if (first === undefined) return { blocks: [] };
  const { tenant } = principal;
  const scopes = [first, ...others] as const;
  const limit = scopes.length;
  const listed = await ledger.resources.list(tenant, { family: blockOwnerFamily, scopes, limit }, { signal });
  const states = new Map(listed.map((stored) => [formatScope(stored.scope), stored]));
  const wanted = scopes.flatMap((scope) => {
    const owner = formatScope(scope);
    const stored = states.get(owner);
    if (stored !== undefined)
      return [wantedOf(blockReadings, { stored, scope, reading: { tenant, owner, ...stored } }, labels)];
    blockReadings.forget(tenant, owner);
    return [];
  });
  const withoutPlace = labels.has(coreMemoryLabel)
    ? undefined
    : scopes.map(formatScope).find((owner) => hasCoreMemory(states.get(owner)));
  const missing = wanted.flatMap(({ refs, known }) =>
    [...refs].flatMap(([label, ref]) => (known.has(label) ? [] : [ref])),
  );
  if (missing.length === 0) return { blocks: wanted.flatMap(({ refs, known }) => shownOf(refs, known)), withoutPlace };
  const found = await ledger.resources.get(tenant, blockFamily, missing, { signal });
  const blocks = wanted.flatMap(({ refs, known, reading }) => {
    const read = new Map([...refs].map(([label, ref]) => [label, known.get(label) ?? shownBlock(found.get(ref))]));
    blockReadings.keep(reading, read);
    return shownOf(refs, read);
  });
  return { blocks, withoutPlace };
}

function hasCoreMemory(stored: StoredResource | undefined): boolean {
  return stored !== undefined && Object.hasOwn((stored.state as OwnerState).blobs, coreMemoryLabel);
}

/** The blocks wanted of an owner, and what is known of them. */
interface WantedBlocks {
  readonly reading: OwnerReading;
  /** By label. */
  readonly refs: ReadonlyMap<string, Ref>;
  readonly known: ReadonlyMap<string, ShownBlock | undefined>;
}

function wantedOf(
  readings: BlockReadings,
  {
    stored,
    scope,
    reading,
  }: { readonly stored: StoredResource; readonly scope: Scope; readonly reading: OwnerReading },
  labels: ReadonlySet<string>,
): WantedBlocks {
  const state = stored.state as OwnerState;
  const owned = Object.keys(state.blobs).filter((label) => labels.has(label));
  const known = readings.of(reading);
  const refOf = (label: string): Ref => blockRef({ owner: scope as BlockOwner, state }, label);
  const hits = owned.filter((label) => known.has(label)).length;
  countLookup("blocks", true, hits);
  countLookup("blocks", false, owned.length - hits);
  // What is known needs no ref: a hash each.
  return { reading, known, refs: new Map(owned.map((label) => [label, known.has(label) ? stored.ref : refOf(label)])) };
}

function shownOf(
  refs: ReadonlyMap<string, Ref>,
  blocks: ReadonlyMap<string, ShownBlock | undefined>,
): readonly ShownBlock[] {
  return [...refs.keys()].flatMap((label) => blocks.get(label) ?? []);
}

function shownBlock(found: StoredResource | undefined): ShownBlock | undefined {
  const block = found && storedBlock(found);
  if (found === undefined || block === undefined) return undefined;
  const { schema, state, version } = block;
  const { label, values } = state;
  const text = schema.name === "core_memory" ? shownCoreMemory(values) : blockText(schema, values);
  const task = schema.name === "human" ? blockValue(values, "currentTask") : undefined;
  return {
    label,
    version,
    text,
    owner: formatScope(found.scope),
    // A document has no form; of everything else each line has its mark.
    ...(isDocument(schema) ? {} : { opening: text.slice(0, text.indexOf("] ") + 2) }),
    ...(typeof task === "string" ? { currentTask: task } : {}),
  };
}

/** Without the comment with its limits, which is for those who write it. */
function shownCoreMemory(values: BlockValues): string {
  return readCoreMemory(String(blockValue(values, "text") ?? "")).content;
}
