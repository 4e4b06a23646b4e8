import { type BlockOwner, formatBlockOwner, LociError, type Ref } from "@loci/domain";
import { blockFamily } from "@loci/ledger";
import type { Call } from "../calls/call.ts";
import { blockRef, changingOwner, type KnownOwner, refsOfGenerations } from "../blocks/block-owners.ts";
import type { BlockState } from "../blocks/block-records.ts";
import { knownSchema } from "../blocks/block-schemas.ts";
import type { BlockServices } from "../blocks/block-services.ts";
import { OwnerChange } from "../blocks/owner-change.ts";
import { erasedOf } from "../memories/erased-memories.ts";
import { type TakenBlock, takeEdits } from "./import-edits.ts";
import type { LineResult, LineResults } from "./line-results.ts";
import { type BlockLine, contentOf, type EditLine } from "./read-block-lines.ts";

/** Takes blocks back, all of an owner in one commit: version after version, then what was proposed. */
export async function importBlocks(
  services: BlockServices,
  call: Call,
  lines: readonly (BlockLine | EditLine)[],
  results: LineResults,
): Promise<void> {
  for (const ofOwner of Map.groupBy(lines, ({ owner }) => formatBlockOwner(owner)).values()) {
    const { owner } = ofOwner[0] as BlockLine | EditLine;
    await changingOwner(services, call, owner, (known) =>
      importOwner(services, call, { known, owner, lines: ofOwner, results }),
    );
  }
}

interface OwnerLines {
  readonly known: KnownOwner;
  readonly owner: BlockOwner;
  readonly lines: readonly (BlockLine | EditLine)[];
  readonly results: LineResults;
}

async function importOwner(
  services: BlockServices,
  call: Call,
  { known, owner, lines, results }: OwnerLines,
): Promise<void> {
  const labels = [...new Set(lines.map(({ label }) => label))];
  const erased = await erasedLabels(services, call, known, labels);
  const left = lines.filter((line) => {
    if (erased.has(line.label)) results.set(line, "erased");
    return !erased.has(line.label);
  });
  const blocks = await takenBlocks(services, call, known, labels);
  const change = new OwnerChange(known, services.clock());
  const versions = left.filter((line) => line.type === "block");
  // Whatever the order of the lines is: as they were written, each version behind the one before it.
  const inOrder = versions.toSorted(
    (before, after) => before.sequence - after.sequence || before.version - after.version || before.index - after.index,
  );
  for (const line of inOrder) results.set(line, await takeVersion(services, call, { line, blocks, change }));
  const edits = left.filter((line) => line.type === "edit");
  await takeEdits(services, call, { known, owner, edits, blocks, change, results });
  if (!change.isEmpty) await change.commit(services, call, {});
}

interface Taking {
  readonly line: BlockLine;
  readonly blocks: Map<string, TakenBlock>;
  readonly change: OwnerChange;
}

async function takeVersion(services: BlockServices, call: Call, { line, blocks, change }: Taking): Promise<LineResult> {
  const { label, version, previous, commitId } = line;
  const { version: last, state } = blocks.get(label) ?? { version: 0, state: undefined };
  if (version <= last) return "unchanged";
  // Only what came by an import is gone on with, and only where nobody has written since.
  const follows = last === 0 ? previous === undefined : state?.arrival?.version === last;
  if (!follows && last > 0) return anotherBlock;
  if (!follows || version > last + 1) return gap;
  if (last > 0 && state?.arrival?.commitId !== previous) return anotherBlock;
  try {
    const schema = await tenantSchema(services, call, line, state);
    const content = contentOf(line, schema);
    if (content === undefined) return noSchema;
    const taken = change.takeBlock({ ...line, ...content, arrival: { version, commitId } }, { version: last, state });
    blocks.set(label, { version, state: taken });
    return "imported";
  } catch (error) {
    if (!LociError.is(error) || !contentReasons.has(error.reason)) throw error;
    return { reason: error.reason, problem: "What the block holds does not fit its schema or the owner's limits." };
  }
}

/** What content and number of blocks are refused for. */
const contentReasons: ReadonlySet<string> = new Set([
  "INVALID_BLOCK",
  "INVALID_BLOCK_TEXT",
  "BLOCK_LIMIT_EXCEEDED",
  "TEXT_TOO_LARGE",
]);

async function tenantSchema(
  services: BlockServices,
  call: Call,
  { schema, form }: BlockLine,
  state: BlockState | undefined,
): Promise<BlockLine["form"]> {
  if (form !== undefined) return form;
  if (state?.schema === schema && state.form !== undefined) return state.form;
  try {
    return (await knownSchema(services, call, schema)).schema;
  } catch (error) {
    if (LociError.is(error) && error.reason === "SCHEMA_NOT_FOUND") return undefined;
    throw error;
  }
}

async function takenBlocks(
  { ledger }: BlockServices,
  { principal, signal }: Call,
  known: KnownOwner,
  labels: readonly string[],
): Promise<Map<string, TakenBlock>> {
  const refs = labels.map((label) => blockRef(known, label));
  const stored = await ledger.resources.get(principal.tenant, blockFamily, refs, { signal });
  return new Map(
    labels.flatMap((label, index) => {
      const found = stored.get(refs[index] as Ref);
      return found === undefined ? [] : [[label, { version: found.version, state: found.state as BlockState }]];
    }),
  );
}

/** Labels of which a block was erased, under whichever ref the owner had it then. */
async function erasedLabels(
  { ledger }: BlockServices,
  { principal, signal }: Call,
  known: KnownOwner,
  labels: readonly string[],
): Promise<ReadonlySet<string>> {
  const refs = new Map(labels.map((label) => [label, refsOfGenerations(known, label)]));
  const erased = await erasedOf(ledger, principal.tenant, [...refs.values()].flat(), signal);
  return new Set(labels.filter((label) => refs.get(label)?.some((ref) => erased.has(ref))));
}

const anotherBlock = {
  reason: "BLOCK_EXISTS",
  problem:
    "The owner has a block of this label with versions that no import brought, so that no further ones are added to it.",
} as const;
const gap = {
  reason: "VERSION_NOT_FOUND",
  problem: "The version before it is not there: import that line first.",
} as const;
const noSchema = {
  reason: "SCHEMA_NOT_FOUND",
  problem: "The schema of the block is not there: import that line first.",
} as const;
