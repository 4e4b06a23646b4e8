import { LociError, type MaintenanceFinding, type MaintenanceReport } from "@loci/domain";
import type { LedgerEncryption, RowsByKey } from "@loci/ledger";
import { type MaintenanceCall, ProgressMeter } from "../calls/maintenance-call.ts";
import type { MaintenanceServices } from "./maintenance-services.ts";

/** So often a pass is made again because rows have come in from another ledger, or under another key. */
const mostPasses = 3;

/**
 * Seals everything in the ledger under the current key. May be stopped and begun again at any time: what was sealed is passed over.
 *
 * @throws LociError `INVALID_CONFIGURATION` without keys
 */
export async function encryptLedger(
  { ledger }: Pick<MaintenanceServices, "ledger">,
  dryRun: boolean,
  call: MaintenanceCall,
): Promise<MaintenanceReport> {
  const { encryption } = ledger;
  if (encryption === undefined) throw noKeys();
  const before = await encryption.rows(call);
  const { currentKey } = encryption;
  const waiting = rowsOf(before) - (before.byKey.get(currentKey) ?? 0);
  const report = { job: "encrypt", dryRun } as const;
  if (dryRun)
    return { ...report, counts: { rows: rowsOf(before), waiting, sealed: 0 }, findings: findingsOf(before), notes: [] };
  const sealed = await sealEverything(encryption, rowsOf(before), call);
  // What the rows were before is to be read neither in free pages of the file nor in its log.
  await ledger.maintain({ scrub: sealed.rows > 0 }, call);
  const after = await encryption.rows(call);
  return {
    ...report,
    counts: { rows: rowsOf(after), waiting, sealed: sealed.rows, damaged: sealed.damaged },
    findings: findingsOf(after),
    notes: notesOf(sealed, currentKey),
  };
}

interface Sealed {
  readonly rows: number;
  readonly damaged: number;
  /** Keys that are not needed any more. `undefined`: they are still needed. */
  readonly retired: readonly string[] | undefined;
}

async function sealEverything(encryption: LedgerEncryption, total: number, call: MaintenanceCall): Promise<Sealed> {
  let [rows, damaged] = [0, 0];
  let retired: readonly string[] | undefined;
  for (let passes = 0; passes < mostPasses && retired === undefined; passes++) {
    const meter = new ProgressMeter("encrypting", call);
    damaged = 0;
    let looked = 0;
    let step = await encryption.reseal(undefined, call);
    for (;;) {
      rows += step.sealed;
      damaged += step.damaged;
      looked += step.looked;
      meter.set(looked, step.next === undefined ? looked : total);
      if (step.next === undefined) break;
      step = await encryption.reseal(step.next, call);
    }
    if (damaged > 0) break;
    retired = await encryption.retireOtherKeys(step.pass, call);
  }
  return { rows, damaged, retired };
}

function rowsOf({ byKey, plain }: RowsByKey): number {
  return [...byKey.values()].reduce((sum, rows) => sum + rows, plain);
}

function findingsOf({ byKey, plain }: RowsByKey): readonly MaintenanceFinding[] {
  const found = [...byKey].toSorted(([left], [right]) => (left < right ? -1 : 1));
  return [
    ...found.map(([keyId, rows]) => ({ reason: "SEALED_UNDER_KEY", details: { keyId, rows: String(rows) } })),
    ...(plain === 0 ? [] : [{ reason: "NOT_SEALED", details: { rows: String(plain) } }]),
  ];
}

function notesOf({ damaged, retired }: Sealed, current: string): readonly string[] {
  if (damaged > 0)
    return [`${damaged} rows cannot be decrypted and stay as they are, so that every key is still needed: run verify.`];
  if (retired === undefined)
    return [
      "Tenants have come in from another shard, or a server was started with another current key, meanwhile. Run this again before a key is taken away.",
    ];
  return retired.length === 0
    ? []
    : [
        `Everything is sealed under ${current}. Backups that were made before need ${retired.join(", ")}; this ledger does not.`,
      ];
}

function noKeys(): LociError {
  return new LociError("INVALID_CONFIGURATION", {
    message: "Nothing is encrypted here: no keys were given.",
    field: "encryption",
    advice: "Give keys in the configuration, as docs/guides/encryption.md says, and run this again.",
  });
}
