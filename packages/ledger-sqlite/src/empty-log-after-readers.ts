import { setTimeout as pause } from "node:timers/promises";
import { CallSignal, type CallOptions, LociError } from "@loci/domain";
import type { WriterThread } from "./writer-thread.ts";

/** How long readers of an old state are waited for, in milliseconds: a backup is one for as long as it copies. */
const patience = 60_000;
const pauseBetween = 100;

/**
 * Has the log of the file emptied when nobody reads an old state of it any more. Others write meanwhile.
 *
 * @param checkOpen throws when the ledger is closing
 * @throws LociError `STORE_UNAVAILABLE` when somebody reads for a minute; `CANCELLED`, `DEADLINE_EXCEEDED`
 */
export async function emptyLogAfterReaders(
  writer: WriterThread,
  call: CallOptions | undefined,
  checkOpen: () => void,
): Promise<void> {
  using over = new CallSignal(call);
  const end = performance.now() + patience;
  while (!(await writer.write({ type: "emptyLog" }, call))) {
    if (performance.now() >= end) throw isRead();
    await pause(pauseBetween, undefined, { signal: over.signal }).catch(() => over.throwIfAborted());
    checkOpen();
  }
}

function isRead(): LociError {
  return new LociError("STORE_UNAVAILABLE", {
    message: "The ledger's log could not be emptied: another program is reading an old state of it.",
    advice: "Close database browsers and backups of the file, then repeat the call.",
  });
}
