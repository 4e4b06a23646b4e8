import {
  asGiven,
  type CallOptions,
  CallSignal,
  checksOf,
  type ExportedMemory,
  type ExportMemoriesRequest,
  type MemoriesApi,
  type MemoryChange,
  type MemoryIdsPart,
  type MemoryIdsRequest,
  type Principal,
  type WatchMemoriesRequest,
} from "@loci/domain";
import { type Ledger, memoriesFamily } from "@loci/ledger";
import { NextCommit } from "./calls/next-commit.ts";
import { exportedPage } from "./exchange/export-memories.ts";
import { beginWatch, changedMemories, cursorAt } from "./memories/changed-memories.ts";
import { listMemoryIds, partsOf } from "./memories/list-memory-ids.ts";
import type { RunCall } from "./run-call.ts";

export interface StreamParts {
  readonly ledger: Pick<Ledger, "onCommitted">;
  readonly run: RunCall;
  readonly principal: Principal;
  /** A signal that aborts when nothing more may be told. */
  readonly closing: () => AbortSignal;
}

/** So long nobody is told how far a watch has come though nothing happens, in milliseconds. */
const longestSilence = 30_000;
/** A ledger may not hear of what others commit to it: it is looked at so often, in milliseconds. */
const longestWait = 5_000;

/** Each page checks where it begins. */
const checkExport = checksOf<ExportMemoriesRequest>()("request", { after: asGiven });

/**
 * Streams are read as a row of calls, each short: they have their turns of the thread, end with the engine, and hold nothing
 * while their reader takes its time.
 */
export function principalStreams(parts: StreamParts): Pick<MemoriesApi, "ids" | "watch" | "export"> {
  return {
    ids: (request, options) => allIds(parts, request, options),
    watch: (request, options) => watchMemories(parts, request, options),
    export: (request = {}, options) => exportAll(parts, request, options),
  };
}

/** The whole list is made at once, and held until its reader has it: 16 bytes an id. */
async function* allIds(
  { run, closing }: StreamParts,
  request: MemoryIdsRequest,
  options: CallOptions | undefined,
): AsyncGenerator<MemoryIdsPart, void, undefined> {
  const list = await run(options, (services, call) => listMemoryIds(services, call, request));
  using call = new CallSignal(options);
  for (const part of partsOf(list)) {
    call.throwIfAborted();
    closing().throwIfAborted();
    yield part;
  }
}

async function* exportAll(
  { run }: StreamParts,
  request: ExportMemoriesRequest,
  options: CallOptions | undefined,
): AsyncGenerator<ExportedMemory, void, undefined> {
  for (let { after } = checkExport(request); ;) {
    const { rows, isLast } = await run(options, (services, call) => exportedPage(services, call, { after }));
    yield* rows;
    if (isLast) return;
    after = rows.at(-1)?.id;
  }
}

async function* watchMemories(
  { ledger, run, principal, closing }: StreamParts,
  request: WatchMemoriesRequest,
  options: CallOptions | undefined,
): AsyncGenerator<MemoryChange, void, undefined> {
  using commits = new NextCommit(ledger, principal.tenant, memoriesFamily);
  const watch = await run(options, (services, call) => beginWatch(services, call, request));
  using call = new CallSignal(options);
  const ending = AbortSignal.any([call.signal, closing()]);
  let position = watch.start;
  let hasToldEnd = false;
  let toldAt = performance.now();
  for (;;) {
    const from = position;
    const page = await run(options, (services, now) => changedMemories(services, now, watch, from));
    ({ position } = page);
    yield* page.changes;
    if (page.changes.length > 0) {
      hasToldEnd = false;
      toldAt = performance.now();
    }
    if (!page.isEnd) continue;
    if (!hasToldEnd || performance.now() - toldAt >= longestSilence) {
      yield { type: "reached", cursor: cursorAt(watch, position) };
      hasToldEnd = true;
      toldAt = performance.now();
    }
    await commits.wait(longestWait, ending);
  }
}
