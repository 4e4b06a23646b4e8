import {
  type Caller,
  contractServices,
  type EmbeddingCacheStatus,
  type GetMemoriesRequest,
  type GetMemoriesResult,
  type JobsStatus,
  type LedgerStatus,
  type LociStatus,
  type ProjectionFailure,
  type ProjectionStatus,
  roles,
  type TenantId,
} from "@loci/domain";
import fc from "fast-check";
import { memory, memoryId } from "./memories.ts";
import { doubleWithOneZero, instant, int32, recordOf, text } from "./plain-values.ts";

const count = fc.maxSafeNat();

export const caller: fc.Arbitrary<Caller> = recordOf<Caller>(
  {
    tenant: text as fc.Arbitrary<TenantId>,
    subject: text,
    roles: fc.subarray([...roles]),
    scopePatterns: fc.array(text, { maxLength: 3 }),
    version: text,
    services: fc.subarray([...contractServices]),
  },
  {},
);

const ledger = recordOf<LedgerStatus>(
  { sequence: count, memories: count, kept: count, scopes: count },
  { recordedAt: instant, bytes: count },
);

const projection = recordOf<ProjectionStatus>(
  { name: text, ratePerSecond: doubleWithOneZero },
  {
    checkpoint: count,
    behind: count,
    oldest: instant,
    failure: recordOf<ProjectionFailure>({ reason: text, since: instant }, {}),
  },
);

const cache = recordOf<EmbeddingCacheStatus>(
  { requested: count, memory: count, shared: count, ledger: count, embedder: count, entries: count, failures: count },
  {},
);

export const status: fc.Arbitrary<LociStatus> = recordOf<LociStatus>(
  {
    ledger,
    projections: fc.array(projection, { maxLength: 3 }),
    jobs: fc.array(recordOf<JobsStatus>({ kind: text, queued: count, running: count, dead: count }, {}), {
      maxLength: 3,
    }),
  },
  { embeddingCache: cache },
);

const ids = fc.array(memoryId, { maxLength: 3 });

export const getMemoriesRequest: fc.Arbitrary<GetMemoriesRequest> = recordOf<GetMemoriesRequest>(
  { ids },
  { textBytes: int32, withDeleted: fc.boolean() },
);

export const getMemoriesResult: fc.Arbitrary<GetMemoriesResult> = recordOf<GetMemoriesResult>(
  { memories: fc.array(memory, { maxLength: 2 }), cut: ids, missing: ids, unread: ids },
  {},
);
