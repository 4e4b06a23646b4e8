import type { Memory } from "@loci/api-web";
import { memories } from "../../api/calls.ts";
import { failureOf, isAway } from "../../api/failure.ts";
import { serverAway } from "../../state/server-away.ts";
import { type MemoryFilter, scopesOf } from "./memory-filter.ts";

/** What is told of changes. */
export interface ChangeListener {
  /** It came to be or was changed. */
  readonly written: (memory: Memory) => void;
  /** It is active no more. */
  readonly removed: (id: string) => void;
  /** The log is another one than before: nothing can be told of what happened meanwhile. */
  readonly lost: () => void;
}

const retryMilliseconds = 2_000;

/** Tells of what is changed behind a cursor, while the page is looked at, until the signal aborts. */
export async function followChanges(
  filter: MemoryFilter,
  cursor: string,
  listener: ChangeListener,
  signal: AbortSignal,
): Promise<void> {
  for (let place = cursor; !signal.aborted;) {
    await seen(signal);
    const hiding = new AbortController();
    const onHide = (): void => {
      if (document.visibilityState === "hidden") hiding.abort();
    };
    document.addEventListener("visibilitychange", onHide);
    try {
      const request = { ...scopesOf(filter), since: { case: "cursor" as const, value: place } };
      // As long as the server likes: no time is too long for it.
      const options = { signal: AbortSignal.any([signal, hiding.signal]), timeoutMs: 0 };
      for await (const { cursor, change } of memories.watchMemories(request, options)) {
        serverAway.value = false;
        if (change.case === "written") listener.written(change.value);
        if (change.case === "removedId") listener.removed(change.value);
        place = cursor;
      }
    } catch (error) {
      if (signal.aborted || hiding.signal.aborted) continue;
      const failure = failureOf(error);
      if (failure.reason === "CURSOR_EXPIRED" || failure.reason === "SESSION_OVER") return listener.lost();
      if (isAway(failure)) serverAway.value = true;
      await new Promise((resolve) => setTimeout(resolve, retryMilliseconds));
    } finally {
      document.removeEventListener("visibilitychange", onHide);
    }
  }
}

/** Waits until the page is looked at. */
async function seen(signal: AbortSignal): Promise<void> {
  while (document.visibilityState === "hidden" && !signal.aborted)
    await new Promise<void>((resolve) => {
      document.addEventListener("visibilitychange", () => resolve(), { once: true });
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
}
