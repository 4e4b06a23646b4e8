import type {
  Ledger,
  LedgerCheckpoints,
  LedgerDecisions,
  LedgerEmbeddings,
  LedgerJobs,
  LedgerLog,
  LedgerMaintenance,
  LedgerMemories,
  LedgerProjections,
  LedgerReceipts,
  LedgerRequests,
  LedgerResources,
  LedgerSettings,
  LedgerUsage,
  ProjectionLease,
} from "../index.ts";

/** What is promised, family by family; `lease.acknowledge` is the method of what `lease` gives. */
interface MethodsOfFamilies {
  readonly commit: Exclude<keyof Ledger, keyof Families | "encryption">;
  readonly log: keyof LedgerLog;
  readonly projections: keyof LedgerProjections | `lease.${keyof ProjectionLease}`;
  readonly memories: keyof LedgerMemories;
  readonly decisions: keyof LedgerDecisions;
  readonly requests: keyof LedgerRequests;
  readonly embeddings:
    | Exclude<keyof LedgerEmbeddings, "embeddingCache">
    | `embeddingCache.${keyof LedgerEmbeddings["embeddingCache"]}`;
  readonly usage:
    | Exclude<keyof LedgerUsage, "modelUsage" | "recallMarks">
    | `modelUsage.${keyof LedgerUsage["modelUsage"]}`
    | `recallMarks.${keyof LedgerUsage["recallMarks"]}`;
  readonly receipts: `receipts.${keyof LedgerReceipts["receipts"]}`;
  readonly resources: `resources.${keyof LedgerResources["resources"]}`;
  readonly checkpoints: `checkpoints.${keyof LedgerCheckpoints["checkpoints"]}`;
  readonly settings: `settings.${keyof LedgerSettings["settings"]}`;
  readonly jobs: `jobs.${keyof LedgerJobs["jobs"]}`;
  readonly maintenance: keyof LedgerMaintenance;
}

type Families = LedgerLog &
  LedgerProjections &
  LedgerMemories &
  LedgerDecisions &
  LedgerRequests &
  LedgerEmbeddings &
  LedgerUsage &
  LedgerReceipts &
  LedgerResources &
  LedgerCheckpoints &
  LedgerSettings &
  LedgerJobs &
  LedgerMaintenance;

/** A part of the contract. */
type LedgerFamily = keyof MethodsOfFamilies;

export type LedgerMethod = MethodsOfFamilies[LedgerFamily];

/** Every method of every family; the type makes sure that none is left out. */
const methodsOfFamilies: {
  readonly [Family in LedgerFamily]: Readonly<Record<MethodsOfFamilies[Family], true>>;
} = {
  commit: { commit: true, close: true },
  log: { changes: true, checkEntries: true, head: true, onCommitted: true, tenants: true },
  projections: {
    lease: true,
    "lease.acknowledge": true,
    "lease.release": true,
    askForLease: true,
    onLeaseAskedFor: true,
    pending: true,
    resetProjection: true,
  },
  memories: {
    memories: true,
    versions: true,
    list: true,
    standing: true,
    byTags: true,
    tags: true,
    asKnownAt: true,
    atPositions: true,
    withNeighbours: true,
    bySlots: true,
    byTexts: true,
    byKeys: true,
    lastPosition: true,
    count: true,
    scopes: true,
    refs: true,
    scan: true,
  },
  decisions: { decisions: true },
  requests: { answered: true },
  embeddings: {
    embeddings: true,
    embedded: true,
    withoutEmbedding: true,
    tenantsWithoutEmbeddings: true,
    "embeddingCache.get": true,
    "embeddingCache.set": true,
  },
  usage: {
    recordUsage: true,
    recordShown: true,
    shownCounts: true,
    "modelUsage.add": true,
    "modelUsage.read": true,
    "recallMarks.record": true,
    "recallMarks.lastShown": true,
  },
  receipts: { "receipts.record": true, "receipts.list": true, "receipts.get": true },
  resources: { "resources.get": true, "resources.list": true, "resources.entries": true },
  checkpoints: { "checkpoints.add": true, "checkpoints.outlines": true, "checkpoints.state": true },
  settings: { "settings.get": true, "settings.set": true, "settings.compareAndSet": true, "settings.list": true },
  jobs: {
    "jobs.enqueue": true,
    "jobs.claim": true,
    "jobs.renew": true,
    "jobs.finish": true,
    "jobs.cancel": true,
    "jobs.get": true,
    "jobs.list": true,
    "jobs.unfinished": true,
    "jobs.counts": true,
  },
  maintenance: { purge: true, purged: true, maintain: true, size: true },
};

export const ledgerMethods = Object.assign({}, ...Object.values(methodsOfFamilies)) as Readonly<
  Record<LedgerMethod, true>
>;
