import { type Block, type BlockWrite, LociError, type ProposedBlockEdit } from "@loci/domain";
import { blockFamily, type Committed, editFamily, type Idempotency, type LogEntry } from "@loci/ledger";
import type { Call } from "../calls/call.ts";
import { blockOfEntry, type BlockRecord, blockView, type EditState, type StoredBlock } from "./block-records.ts";
import type { BlockServices } from "./block-services.ts";
import { knownSchema } from "./block-schemas.ts";
import type { CheckedName } from "./validate-block.ts";
import { editView } from "./edit-views.ts";

/** What a request changed when it was carried out the first time. */
export interface AnsweredRequest {
  readonly block?: StoredBlock | undefined;
  readonly edit?: ProposedBlockEdit | undefined;
}

type Reading = Pick<BlockServices, "ledger">;

/**
 * What a repeated request was answered, or `undefined` when it is new.
 *
 * @throws LociError `REQUEST_ID_REUSED`, `MEMORY_ERASED`
 */
export async function answeredRequest(
  services: Reading,
  call: Call,
  idempotency: Idempotency | undefined,
  owner: CheckedName["owner"],
): Promise<AnsweredRequest | undefined> {
  if (idempotency === undefined) return undefined;
  const { tenant, subject } = call.principal;
  const committed = await services.ledger.answered(tenant, { subject, ...idempotency }, { signal: call.signal });
  return committed && answerOf(services, call, committed.results, owner);
}

/** The versions of blocks and edits among the results of a commit: of each kind the first. */
export async function answerOf(
  services: Reading,
  call: Call,
  results: Committed["results"],
  owner: CheckedName["owner"],
): Promise<AnsweredRequest> {
  const [blocks, edits] = await Promise.all([
    entriesOf(services, call, blockFamily, results),
    entriesOf(services, call, editFamily, results),
  ]);
  const [written] = blocks;
  const [edit] = edits;
  return {
    ...(written === undefined ? {} : { block: await blockThen(services, call, owner, written) }),
    ...(edit === undefined
      ? {}
      : {
          edit: editView({
            owner,
            version: edit.version,
            label: (edit.payload as EditState).label,
            edit: { ...(edit.payload as EditState), id: edit.ref },
          }),
        }),
  };
}

async function blockThen(
  services: Reading,
  call: Call,
  owner: CheckedName["owner"],
  entry: LogEntry,
): Promise<StoredBlock> {
  const { schema } = await knownSchema(services, call, (entry.payload as BlockRecord).schema);
  return blockOfEntry({ ref: entry.ref, owner, schema }, entry);
}

async function entriesOf(
  { ledger }: Reading,
  { principal, signal }: Call,
  family: string,
  results: Committed["results"],
): Promise<readonly LogEntry[]> {
  const found = await Promise.all(
    results.map(({ ref, version }) =>
      ledger.resources.entries(
        principal.tenant,
        { family, ref, after: version - 1, order: "oldestFirst", limit: 1 },
        { signal },
      ),
    ),
  );
  return found.flat();
}

/** A block that a repeated request wrote. @throws LociError `MEMORY_ERASED` when it is gone */
export function answeredBlock({ block }: AnsweredRequest): Block {
  if (block !== undefined) return blockView(block);
  throw new LociError("MEMORY_ERASED", {
    message: "What this request wrote is gone.",
    advice: "Use a new request id to write something anew.",
  });
}

/** What a repeated write was answered; of one that became a proposal with the block as it stands. */
export function answeredWrite(answered: AnsweredRequest, current: StoredBlock | undefined): BlockWrite {
  const { edit, block = current } = answered;
  return { block: answeredBlock({ block }), ...(edit === undefined ? {} : { edit }) };
}
