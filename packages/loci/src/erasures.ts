import { LociError, memoryId, type Ref, type TenantId, tenantId } from "@loci/domain";
import type { Ledger } from "@loci/ledger";

/** That a memory was forgotten or erased, without a word of what it said: what a restored backup must be told. */
export interface Erasure {
  readonly tenant: TenantId;
  readonly ref: Ref;
  /** `forgotten`: a tombstone whose versions are kept. `erased`: gone for good. */
  readonly kind: "forgotten" | "erased";
}

const pageSize = 500;

/** Everything that was forgotten or erased, of every tenant. */
export async function* readErasures(ledger: Ledger): AsyncGenerator<Erasure> {
  for (const tenant of await ledger.tenants()) {
    for (let after: Ref | undefined; ;) {
      const page = await ledger.purged(tenant, { after, limit: pageSize });
      for (const { ref } of page) yield { tenant, ref, kind: "erased" };
      after = page.at(-1)?.ref;
      if (page.length < pageSize) break;
    }
    for (let after: Ref | undefined; ;) {
      const page = await ledger.scan(tenant, { after, limit: pageSize });
      for (const { memory } of page)
        if (memory.state === "deleted") yield { tenant, ref: memory.id, kind: "forgotten" };
      after = page.at(-1)?.memory.id;
      if (page.length < pageSize) break;
    }
  }
}

/** @param line one erasure as JSON @throws LociError `INVALID_REQUEST` */
export function parseErasure(line: string, place: string): Erasure {
  try {
    const { tenant, ref, kind } = JSON.parse(line) as Record<string, unknown>;
    if (kind === "erased" || kind === "forgotten")
      return { tenant: tenantId(String(tenant)), ref: memoryId(String(ref)), kind };
  } catch {
    // Told below: what was thrown may quote the line.
  }
  throw new LociError("INVALID_REQUEST", {
    message: `${place} is not an erasure.`,
    field: place,
    advice: "Pass the output of `loci erasures`.",
  });
}

/** Does again what was done after a backup. @returns how many memories it concerned */
export async function replayErasures(
  ledger: Ledger,
  erasures: AsyncIterable<Erasure> | Iterable<Erasure>,
): Promise<number> {
  let concerned = 0;
  let waiting: Erasure[] = [];
  const flush = async (): Promise<void> => {
    concerned += await replay(ledger, waiting);
    waiting = [];
  };
  for await (const erasure of erasures) {
    if (waiting.length >= pageSize || (waiting.length > 0 && waiting[0]?.tenant !== erasure.tenant)) await flush();
    waiting.push(erasure);
  }
  await flush();
  return concerned;
}

async function replay(ledger: Ledger, erasures: readonly Erasure[]): Promise<number> {
  const tenant = erasures[0]?.tenant;
  if (tenant === undefined) return 0;
  const erased = erasures.filter(({ kind }) => kind === "erased").map(({ ref }) => ref);
  const purged = erased.length === 0 ? 0 : (await ledger.purge(tenant, { refs: erased })).memories;
  const forgotten = erasures.filter(({ kind }) => kind === "forgotten").map(({ ref }) => ref);
  const stored = [...(await ledger.memories(tenant, forgotten)).values()].filter(
    ({ memory }) => memory.state !== "deleted",
  );
  const removedAt = Date.now();
  const changes = stored.map(
    ({ memory }) => ({ type: "memoryRemoved", ref: memory.id, version: memory.version + 1, removedAt }) as const,
  );
  if (changes.length > 0)
    await ledger.commit({ tenant, author: { activity: "restore" }, scopePatterns: ["*"], expect: [], changes });
  return purged + changes.length;
}
