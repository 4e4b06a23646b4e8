import { type KeptIndexes, openKeptIndexes } from "./kept-indexes.ts";

/** Indexes that can be closed and opened once more. */
export async function openedAgain(options: Parameters<typeof openKeptIndexes>[0]): Promise<{
  readonly kept: KeptIndexes;
  readonly reopen: () => Promise<KeptIndexes>;
  readonly close: () => Promise<void>;
}> {
  let kept = await openKeptIndexes(options);
  const reopen = async (): Promise<KeptIndexes> => {
    await kept.close();
    return (kept = await openKeptIndexes(options));
  };
  return { kept, reopen, close: () => kept.close() };
}
