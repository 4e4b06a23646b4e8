import { blockText, diffBlockValues, findBlockVersion, writeBlockMarkdown, writeBlockToml } from "@loci/core";
import {
  asGiven,
  authorize,
  blockLabel,
  blockValue,
  type Block,
  type BlockDiff,
  type BlockDiffRequest,
  type BlockDocument,
  type BlockHistory,
  type BlockHistoryRequest,
  type BlockName,
  type BlockVersionName,
  type BlockWrite,
  checksOf,
  isMemoryFileLabel,
  type ListBlocksRequest,
  LociError,
  memoryFileSchema,
  optional,
  type RestoreBlockRequest,
  type Version,
} from "@loci/domain";
import { blockFamily, type LogEntry } from "@loci/ledger";
import type { Call } from "../calls/call.ts";
import { idempotencyOf } from "../calls/idempotency.ts";
import { formatPlaceToken, parsePlaceToken } from "../calls/place-token.ts";
import { checkWholeNumber } from "../validation/validate-number.ts";
import { answeredRequest } from "./answered-block.ts";
import {
  blockNotFound,
  blockRef,
  changingOwner,
  existingBlock,
  type KnownOwner,
  readBlocksOf,
  readOwner,
} from "./block-owners.ts";
import { blockOfEntry, type BlockRecord, blockVersion, blockView, type StoredBlock } from "./block-records.ts";
import type { BlockServices } from "./block-services.ts";
import { knownSchema } from "./block-schemas.ts";
import { checkBlockContent } from "./check-block-content.ts";
import { commitAndRotate } from "./commit-block.ts";
import { OwnerChange } from "./owner-change.ts";
import { blockNameChecks, type CheckedName, checkReason } from "./validate-block.ts";
import { repeatedWrite, wholeWrite, writeOrPropose } from "./write-block.ts";

type GetBlock = BlockName & { readonly version?: BlockVersionName | undefined };

/** Which version is meant, the block's history tells. */
const checkGet = checksOf<GetBlock>()("request", { ...blockNameChecks, version: asGiven });
const checkList = checksOf<ListBlocksRequest>()("request", {
  owner: blockNameChecks.owner,
  schema: optional(blockLabel),
  after: optional(blockLabel),
});

/** A block with its content in every form, as it is or was. */
export async function getBlock(services: BlockServices, call: Call, request: GetBlock): Promise<BlockDocument> {
  const { owner, label, version } = checkGet(request);
  authorize(call.principal, "read", [owner]);
  const known = await readOwner(services, call, owner);
  if (version === undefined) return documentOf(await existingBlock(services, call, known, label));
  const former = await blockThen(services, call, { known, label }, version);
  if (former !== undefined) return documentOf(former);
  throw versionNotFound(label, "was removed in that version");
}

/** How many blocks one answer holds, and how many UTF-16 units of their texts it goes on with: a message has to hold them. */
const mostListed = 64;
const mostUnits = 1_000_000;

/** Blocks of an owner, by label. Those that are no files of a memory tool are few enough to be read whatever schema is asked for. */
export async function listBlocks(
  services: BlockServices,
  call: Call,
  request: ListBlocksRequest,
): Promise<readonly Block[]> {
  const { owner, schema, after } = checkList(request);
  authorize(call.principal, "read", [owner]);
  const known = await readOwner(services, call, owner);
  const isFile = schema === memoryFileSchema;
  const labels = Object.keys(known.state.blobs)
    .filter((label) => isMemoryFileLabel(label) === isFile && (after === undefined || label > after))
    .toSorted()
    .slice(0, mostListed);
  const blocks = await readBlocksOf(services, call, known, labels);
  const wanted = blocks.filter(({ state }) => schema === undefined || state.schema === schema);
  return (isFile ? asManyAsFit(wanted) : wanted).map(blockView);
}

/** The first blocks, at least one, until their texts are long. */
function asManyAsFit(blocks: readonly StoredBlock[]): readonly StoredBlock[] {
  let units = 0;
  return blocks.filter(({ state }, index) => {
    units += String(blockValue(state.values, "text") ?? "").length;
    return index === 0 || units <= mostUnits;
  });
}

function documentOf(block: StoredBlock): BlockDocument {
  const { schema, state } = block;
  return {
    ...blockView(block),
    text: blockText(schema, state.values),
    markdown: writeBlockMarkdown(state.label, schema, state.values),
    toml: writeBlockToml(schema, state.values),
    commitId: state.commitId,
  };
}

const defaultPageSize = 10;

const checkHistory = checksOf<BlockHistoryRequest>()("request", {
  ...blockNameChecks,
  pageSize: (size = defaultPageSize, path) => checkWholeNumber(size, path, { least: 1, most: 1_000 }),
  pageToken: asGiven,
});

/** What happened to a block, newest first. */
export async function blockHistory(
  services: BlockServices,
  call: Call,
  request: BlockHistoryRequest,
): Promise<BlockHistory> {
  const { owner, label, pageSize, pageToken } = checkHistory(request);
  const { principal, signal } = call;
  authorize(principal, "read", [owner]);
  const known = await readOwner(services, call, owner);
  const ref = blockRef(known, label);
  const query = [principal.tenant, ref];
  const before = parsePlaceToken(pageToken, query, ([version]) =>
    checkWholeNumber(version, "pageToken", { least: 1, most: 2 ** 53 - 1 }),
  );
  const entries = await services.ledger.resources.entries(
    principal.tenant,
    { family: blockFamily, ref, before, order: "newestFirst", limit: pageSize + 1 },
    { signal },
  );
  const shown = entries.slice(0, pageSize);
  const last = shown.at(-1);
  if (last === undefined) throw blockNotFound(owner, label);
  const versions = shown.map(blockVersion);
  return entries.length > pageSize
    ? { versions, nextPageToken: formatPlaceToken([last.version], query) }
    : { versions };
}

const checkDiff = checksOf<BlockDiffRequest>()("request", { ...blockNameChecks, from: asGiven, to: asGiven });

/** The fields in which two versions of a block differ. */
export async function diffBlock(services: BlockServices, call: Call, request: BlockDiffRequest): Promise<BlockDiff> {
  const name = checkDiff(request);
  authorize(call.principal, "read", [name.owner]);
  const known = await readOwner(services, call, name.owner);
  const place = { known, label: name.label };
  const from = await entryOf(services, call, place, request.from);
  const to = await entryOf(services, call, place, request.to);
  const [before, after] = await Promise.all([from, to].map((entry) => blockIn(services, call, known, entry)));
  const schema = after?.schema ?? before?.schema;
  const changes =
    schema === undefined ? [] : diffBlockValues(schema, before?.state.values ?? {}, after?.state.values ?? {});
  return { from: from.version, to: to.version, changes };
}

const checkRestore = checksOf<RestoreBlockRequest>()("request", {
  ...blockNameChecks,
  version: asGiven,
  reason: (reason, path) => checkReason(reason, path),
});

/** Makes an old version's content the newest version, or proposes that. */
export async function restoreBlock(
  services: BlockServices,
  call: Call,
  request: RestoreBlockRequest,
): Promise<BlockWrite> {
  const { owner, label, reason: given } = checkRestore(request);
  authorize(call.principal, "write", [owner]);
  const idempotency = idempotencyOf("restoreBlock", request, call.options);
  return changingOwner(services, call, owner, async (known) => {
    const answered = await answeredRequest(services, call, idempotency, owner);
    if (answered !== undefined) return repeatedWrite(services, call, { known, label }, answered);
    const place = { known, label };
    const former = await blockThen(services, call, place, request.version);
    if (former === undefined)
      throw versionNotFound(label, "was removed in that version: there is no content to restore");
    const reason = given ?? `Restore version ${former.version} of ${label}`;
    const { values } = former.state;
    const [block] = await readBlocksOf(services, call, known, [label]);
    if (block !== undefined) {
      const content = wholeWrite(block, values);
      return writeOrPropose(services, call, { known, block, idempotency }, { ...content, reason });
    }
    // It was removed. What stands in every context begins there with approval only.
    authorize(call.principal, "approve", [owner]);
    const { schema, isShipped } = await knownSchema(services, call, former.schema.name);
    await checkBlockContent(services, call, { ref: former.ref, label, schema, values });
    const last = await entryOf(services, call, place, undefined);
    const change = new OwnerChange(known, services.clock());
    const { policy, description, createdAt } = former.state;
    const operations = wholeWrite({ ...former, state: { ...former.state, values: {} } }, values).operations;
    const written = change.writeBlock(
      { label, schema, isShipped, values, policy, description, operations },
      { version: last.version, createdAt },
      { author: call.principal.subject, reason },
    );
    return { block: blockView(await commitAndRotate(services, call, { change, written, idempotency })) };
  });
}

interface BlockPlace {
  readonly known: KnownOwner;
  readonly label: CheckedName["label"];
}

/** A former version; `undefined` when the block was removed in it. */
async function blockThen(
  services: BlockServices,
  call: Call,
  place: BlockPlace,
  wanted: BlockVersionName,
): Promise<StoredBlock | undefined> {
  return blockIn(services, call, place.known, await entryOf(services, call, place, wanted));
}

async function blockIn(
  services: BlockServices,
  call: Call,
  known: KnownOwner,
  entry: LogEntry,
): Promise<StoredBlock | undefined> {
  const { toml, label, schema: name } = entry.payload as BlockRecord;
  if (toml === null) return undefined;
  const [current] = await readBlocksOf(services, call, known, [label]);
  const schema = current?.schema.name === name ? current.schema : (await knownSchema(services, call, name)).schema;
  return blockOfEntry({ ref: entry.ref, owner: known.owner, schema }, entry);
}

/** How many entries are read at a time. */
const stretch = 500;

/**
 * The entry of a version; without one of the newest.
 *
 * @throws LociError `BLOCK_NOT_FOUND` when there never was such a block, `VERSION_NOT_FOUND`
 */
async function entryOf(
  { ledger }: BlockServices,
  { principal, signal }: Call,
  { known, label }: BlockPlace,
  wanted: BlockVersionName | undefined,
): Promise<LogEntry> {
  const ref = blockRef(known, label);
  const family = blockFamily;
  const read = (part: { readonly after?: Version; readonly before?: Version; readonly limit: number }) =>
    ledger.resources.entries(principal.tenant, { family, ref, order: "newestFirst", ...part }, { signal });
  const [newest] = await read({ limit: 1 });
  if (newest === undefined) throw blockNotFound(known.owner, label);
  if (wanted === undefined) return newest;
  const numbered = Number(wanted);
  if (
    Number.isSafeInteger(numbered) &&
    numbered >= 1 &&
    numbered <= newest.version &&
    String(numbered) === String(wanted)
  ) {
    const [entry] = await read({ after: numbered - 1, before: numbered + 1, limit: 1 });
    if (entry !== undefined) return entry;
  }
  const history: { version: Version; commitId: string }[] = [];
  for (let before = newest.version + 1; before > 1;) {
    const entries = await read({ before, limit: stretch });
    history.push(...entries.map(({ version, payload }) => ({ version, commitId: (payload as BlockRecord).commitId })));
    before = entries.at(-1)?.version ?? 1;
  }
  const version = findBlockVersion(history, wanted);
  const [entry] = await read({ after: version - 1, before: version + 1, limit: 1 });
  if (entry !== undefined) return entry;
  throw versionNotFound(label, "has no such version");
}

function versionNotFound(label: string, fault: string): LociError {
  return new LociError("VERSION_NOT_FOUND", {
    message: `The block ${label} ${fault}.`,
    field: "version",
    resource: label,
    advice: "Ask for its history to see which versions there are.",
  });
}
