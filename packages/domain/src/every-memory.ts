import type { CallOptions } from "./call-options.ts";
import type { MemoriesApi } from "./loci.ts";
import type { ListMemoriesRequest } from "./memory-input.ts";
import type { Memory } from "./memory.ts";

/** As many as a page may have: a page of large memories ends earlier by itself. */
const pageSize = 1_000;

/**
 * The memories of a list, whatever number of pages it has, in its order. A page is read when the one before has been taken, each with
 * these options.
 *
 * @throws LociError as `memories.list`
 */
export async function* everyMemory(
  memories: Pick<MemoriesApi, "list">,
  request: Omit<ListMemoriesRequest, "pageSize" | "pageToken">,
  options?: CallOptions,
): AsyncGenerator<Memory, void, undefined> {
  for (let pageToken: string | undefined; ;) {
    const page = await memories.list({ ...request, pageSize, pageToken }, options);
    yield* page.memories;
    pageToken = page.nextPageToken;
    if (pageToken === undefined) return;
  }
}
