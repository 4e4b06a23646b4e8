import {
  authorize,
  coversEveryScope,
  type EmbeddingCacheStatus,
  hasRole,
  type JobsStatus,
  LociError,
  type LociStatus,
  type Scope,
  scopeKinds,
  type TenantId,
} from "@loci/domain";
import type { CountedJobs, Ledger } from "@loci/ledger";
import type { Call } from "./calls/call.ts";
import type { EngineServices } from "./engine-services.ts";
import { keptProjections } from "./projections/kept-projections.ts";
import { projectionStatus } from "./projections/projection-status.ts";

const scopesPerRead = 1_000;

/** How Loci is, as far as it concerns the principal's tenant. What concerns every tenant takes the role `operate`. */
export async function status(services: EngineServices, { principal, signal }: Call): Promise<LociStatus> {
  authorize(principal, "read", []);
  if (!coversEveryScope(principal))
    throw new LociError("SCOPE_NOT_PERMITTED", {
      message: `${principal.subject} may not touch every scope, and the status is that of the whole tenant.`,
      advice: "Use a credential with the scope pattern *.",
    });
  const { ledger, embedder } = services;
  const { tenant } = principal;
  const mayOperate = hasRole(principal, "operate");
  const call = { signal };
  const sequence = await ledger.head(tenant);
  const [last] = sequence === 0 ? [] : await ledger.changes(tenant, sequence - 1, 1, call);
  const now = services.clock();
  const [{ memories, scopes }, kept, jobs, bytes, projections] = await Promise.all([
    activeMemories(ledger, tenant, signal),
    ledger.count(tenant, call),
    ledger.jobs.counts(tenant, call),
    mayOperate ? ledger.size(call) : undefined,
    Promise.all(keptProjections(services).map((kept) => projectionStatus(ledger, kept, { tenant, now, signal }))),
  ]);
  const cache = mayOperate ? cacheStatus(embedder.statistics?.()) : undefined;
  return {
    ledger: {
      sequence,
      ...(last && { recordedAt: last.recordedAt }),
      memories,
      kept,
      scopes,
      ...(bytes === undefined ? {} : { bytes }),
    },
    projections,
    jobs: byKind(jobs),
    ...(cache && { embeddingCache: cache }),
  };
}

/** Counted in the index of scopes. */
async function activeMemories(
  ledger: Pick<Ledger, "scopes">,
  tenant: TenantId,
  signal: AbortSignal,
): Promise<{ readonly memories: number; readonly scopes: number }> {
  let [memories, scopes] = [0, 0];
  for (let after: Scope | undefined; ;) {
    const found = await ledger.scopes(
      tenant,
      { kinds: scopeKinds, scopes: [], after, limit: scopesPerRead },
      { signal },
    );
    scopes += found.length;
    for (const one of found) memories += one.memories;
    after = found.at(-1)?.scope;
    if (found.length < scopesPerRead) return { memories, scopes };
  }
}

function byKind(counted: readonly CountedJobs[]): readonly JobsStatus[] {
  const kinds = new Map<string, { kind: string; queued: number; running: number; dead: number }>();
  for (const { kind, state, jobs } of counted) {
    const ofKind = kinds.get(kind) ?? { kind, queued: 0, running: 0, dead: 0 };
    if (state !== "queued" && state !== "running" && state !== "dead") continue;
    ofKind[state] += jobs;
    kinds.set(kind, ofKind);
  }
  return [...kinds.values()];
}

function cacheStatus(
  statistics: ReturnType<NonNullable<EngineServices["embedder"]["statistics"]>> | undefined,
): EmbeddingCacheStatus | undefined {
  if (statistics === undefined) return undefined;
  const { requested, firstLayer: memory, shared, secondLayer, embedded, entries, secondLayerFailures } = statistics;
  return { requested, memory, shared, ledger: secondLayer, embedder: embedded, entries, failures: secondLayerFailures };
}
