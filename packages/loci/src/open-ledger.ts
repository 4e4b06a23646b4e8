import { join } from "node:path";
import { checkOptionValue, type Instant } from "@loci/domain";
import type { EncryptionKeys } from "@loci/encryption";
import type { BackupLedger } from "@loci/engine";
import type { Ledger } from "@loci/ledger";
import type { PostgresLedgerFacts, PostgresLedgerOptions } from "@loci/ledger-postgres";
import { type DirectoryLock, type MovableLedger, OpenedFile, openSqliteLedger } from "@loci/ledger-sqlite";
import { backUpDirectory, ledgerName } from "./backup.ts";
import { readErasures } from "./erasures.ts";
import { checkRestored } from "./restore-backup.ts";

/** The ledger in a PostgreSQL database, which any number of servers may share. */
export interface PostgresLedger extends Omit<PostgresLedgerOptions, "clock" | "encryption" | "reportProblem"> {
  readonly kind: "postgres";
}

/** Where memories are kept. `sqlite`: in the data directory, for one process. */
export type LedgerChoice = "sqlite" | PostgresLedger;

/** @throws LociError `INVALID_CONFIGURATION` for what is neither */
export function checkLedgerChoice(choice: LedgerChoice): void {
  if (typeof choice === "object" && choice !== null) checkOptionValue(choice.kind, ["postgres"], "ledger.kind");
  else checkOptionValue(choice, ["sqlite"], "ledger");
}

export interface OpenLedgerOptions {
  readonly directory: string;
  readonly lock: DirectoryLock;
  /** Only what the caller has given: PostgreSQL has a clock of its own, which all servers share. */
  readonly clock: (() => Instant) | undefined;
  readonly reportProblem: (error: unknown, activity: string) => void;
  readonly encryption: EncryptionKeys | undefined;
}

export interface OpenedLedger {
  readonly ledger: Ledger;
  /** Whether other servers may be using it too. */
  readonly isShared: boolean;
  readonly backup: BackupLedger | undefined;
  /**
   * Whether the ledger's file is still where it was opened, and can be written. A database looks after its own.
   *
   * @throws LociError `DATA_DIRECTORY_MOVED`; `STORE_UNAVAILABLE` when the thread that writes has stopped
   */
  readonly checkInPlace: () => void;
  /** The same ledger, if tenants can come to it and leave it. */
  readonly movable: MovableLedger | undefined;
}

/** Opens the ledger. What it takes to talk to PostgreSQL is loaded only when it is chosen. */
export async function openLedger(
  choice: LedgerChoice,
  { directory, lock, clock, reportProblem, encryption }: OpenLedgerOptions,
): Promise<OpenedLedger> {
  if (choice === "sqlite") {
    checkRestored(directory);
    const ledger = await openSqliteLedger({ directory, clock, lock, encryption });
    const file = new OpenedFile(join(directory, ledgerName));
    return {
      ledger,
      checkInPlace: () => {
        ledger.checkWriting();
        file.checkInPlace();
      },
      isShared: false,
      movable: ledger,
      backup: (target, call) => backUpDirectory(directory, target, readErasures(ledger), call),
    };
  }
  const { openPostgresLedger } = await import("@loci/ledger-postgres");
  const { kind: _, ...options } = choice;
  // Its database has tools of its own for backups.
  return {
    ledger: await openPostgresLedger({ ...options, clock, reportProblem, encryption }),
    isShared: true,
    checkInPlace: () => undefined,
    backup: undefined,
    movable: undefined,
  };
}

/**
 * Looks at a ledger in PostgreSQL without opening it or changing anything.
 *
 * @throws LociError `STORE_UNAVAILABLE`, `INVALID_CONFIGURATION`, `DATA_DIRECTORY_TOO_NEW`
 */
export async function inspectPostgres(
  ledger: Pick<PostgresLedger, "connectionString" | "schema" | "role">,
): Promise<PostgresLedgerFacts> {
  const { inspectPostgresLedger } = await import("@loci/ledger-postgres");
  return inspectPostgresLedger(ledger);
}
