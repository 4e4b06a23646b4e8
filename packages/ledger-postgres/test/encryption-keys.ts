import type { EncryptionKeys } from "@loci/encryption";
import type { Ledger, LedgerEncryption } from "@loci/ledger";

const keys = { first: new Uint8Array(32).fill(1), second: new Uint8Array(32).fill(2) };

export type KeyId = keyof typeof keys;

/** Both are known, and one of them is the current one. */
export function bothKeys(current: KeyId): EncryptionKeys {
  return { current, keys };
}

export function oneKey(current: KeyId): EncryptionKeys {
  return { current, keys: { [current]: keys[current] } };
}

export function encryptionOf({ encryption }: Ledger): LedgerEncryption {
  if (encryption === undefined) throw new Error("The ledger is not encrypted.");
  return encryption;
}

/** A whole pass, as the job makes it. */
export async function sealAll(encryption: LedgerEncryption): Promise<object> {
  const sum = { looked: 0, sealed: 0, damaged: 0 };
  for (let next: string | undefined; ;) {
    const step = await encryption.reseal(next);
    for (const name of ["looked", "sealed", "damaged"] as const) sum[name] += step[name];
    next = step.next;
    if (next === undefined)
      return { ...sum, ...(sum.damaged === 0 ? { retired: await encryption.retireOtherKeys(step.pass) } : {}) };
  }
}
