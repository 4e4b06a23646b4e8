import { join } from "node:path";
import type { Instant } from "@loci/domain";
import { openForLookingOver, openForReading } from "./connection.ts";
import { type EncryptionKeys, Sealing } from "@loci/encryption";
import { acquireDirectoryLock, type DirectoryLock } from "./directory-lock.ts";
import { sealingOfFile } from "./encryption/file-keys.ts";
import type { MovableLedger } from "./moving/movable-ledger.ts";
import { RecentMemories } from "./recent-memories.ts";
import { RecentTags } from "./recent-tags.ts";
import { SqliteLedger } from "./sqlite-ledger.ts";
import { toLociError } from "./sqlite-error.ts";
import { WriterThread } from "./writer-thread.ts";

export interface SqliteLedgerOptions {
  /** The data directory. Made if it is missing; the ledger is `ledger.sqlite` in it. */
  readonly directory: string;
  /** Gives the time, in milliseconds since 1970. Default `Date.now`. */
  readonly clock?: (() => Instant) | undefined;
  /** The directory's lock, if the caller holds it already; it then stays with the caller. Default: taken, and released on close. */
  readonly lock?: DirectoryLock | undefined;
  /** For how long a repeated request gets its first answer, in milliseconds. Default 7 days. */
  readonly requestRetentionMilliseconds?: number | undefined;
  /** Most vectors the embedding cache holds; beyond it the oldest are dropped. Default 100,000. */
  readonly embeddingCacheRows?: number | undefined;
  /**
   * Encrypts what memories, blocks and sessions say. Default: nothing is encrypted. A ledger that was opened with keys once is
   * opened with them from then on; rows that were written before stay as they are until they are sealed by `reseal`.
   */
  readonly encryption?: EncryptionKeys | undefined;
}

const sevenDaysMilliseconds = 7 * 24 * 60 * 60 * 1000;

/**
 * Opens the ledger of a data directory, for this process alone.
 *
 * @throws LociError `DATA_DIRECTORY_LOCKED` when another process has it; `DATA_DIRECTORY_TOO_NEW` and
 *   `DATA_DIRECTORY_CORRUPT` for a file this version cannot use; `INVALID_CONFIGURATION` when it cannot be written;
 *   `DISK_FULL`; `ENCRYPTION_KEY_MISSING` without the keys that the file needs
 */
export async function openSqliteLedger(options: SqliteLedgerOptions): Promise<MovableLedger> {
  const path = join(options.directory, "ledger.sqlite");
  const lock = options.lock ?? acquireDirectoryLock(options.directory);
  const onClosed = (): void => {
    if (options.lock === undefined) lock.release();
  };
  let writer: WriterThread | undefined;
  try {
    const sealing = options.encryption && new Sealing(options.encryption);
    const settings = {
      path,
      encryption: options.encryption,
      requestRetentionMilliseconds: options.requestRetentionMilliseconds ?? sevenDaysMilliseconds,
      embeddingCacheRows: options.embeddingCacheRows ?? 100_000,
    };
    const recentMemories = new RecentMemories();
    const recentTags = new RecentTags();
    const clock = options.clock ?? Date.now;
    writer = await WriterThread.start(settings, clock, [recentMemories, recentTags]);
    const { requestRetentionMilliseconds } = settings;
    const reader = openForReading(path);
    return new SqliteLedger({
      path,
      writer,
      recentMemories,
      recentTags,
      reader,
      sealing: sealingOfFile(reader, path, sealing),
      overview: openForLookingOver(path),
      clock,
      requestRetentionMilliseconds,
      onClosed,
    });
  } catch (error) {
    await writer?.close();
    onClosed();
    throw toLociError(error, path);
  }
}
