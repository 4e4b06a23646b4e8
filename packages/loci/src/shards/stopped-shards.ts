import type { EncryptionKeys } from "@loci/encryption";
import { acquireDirectoryLock, type MovableLedger, openSqliteLedger } from "@loci/ledger-sqlite";
import { Closers } from "../closers.ts";
import { checkRestored } from "../restore-backup.ts";
import { shardDirectory } from "./directory-division.ts";

/** One shard of a directory that nobody serves. */
export interface StoppedShard {
  readonly directory: string;
  readonly ledger: MovableLedger;
}

/** The shards of a directory, which nobody else can open until they are closed. */
export interface StoppedShards extends AsyncDisposable {
  readonly opened: readonly StoppedShard[];
  close(): Promise<void>;
}

/** @throws LociError `DATA_DIRECTORY_LOCKED` while any of them is open; what opening a ledger throws */
export async function openStoppedShards(
  dataDirectory: string,
  count: number,
  encryption: EncryptionKeys | undefined,
): Promise<StoppedShards> {
  const closers = new Closers();
  const opened: StoppedShard[] = [];
  try {
    for (let shard = 0; shard < count; shard++) {
      const directory = shardDirectory(dataDirectory, shard);
      const lock = acquireDirectoryLock(directory);
      closers.add(async () => lock.release());
      checkRestored(directory);
      const ledger = await openSqliteLedger({ directory, lock, encryption });
      closers.add(() => ledger.close());
      opened.push({ directory, ledger });
    }
  } catch (error) {
    await closers.close();
    throw error;
  }
  const close = (): Promise<void> => closers.close();
  return { opened, close, [Symbol.asyncDispose]: close };
}
