import type {
  KeptReceipt,
  KeptReceiptSummary,
  ListReceiptsRequest,
  ListReceiptsResult,
  MemoryVersion,
  PrefixSection,
  SessionKey,
} from "@loci/domain";
import fc from "fast-check";
import { receipt, usage } from "./contexts.ts";
import { memoryId, scope } from "./memories.ts";
import { instant, int32, recordOf, text, tokens } from "./plain-values.ts";

export const listReceiptsRequest: fc.Arbitrary<ListReceiptsRequest> = recordOf<ListReceiptsRequest>(
  {},
  { pageSize: int32, pageToken: text.filter((token) => token !== "") },
);

const summary = recordOf<KeptReceiptSummary>(
  {
    id: text,
    assembledAt: instant,
    subject: text,
    scopes: fc.array(scope, { maxLength: 2 }),
    layout: text,
    usage,
    kept: tokens,
    shortened: tokens,
    dropped: tokens,
    stablePrefixHash: text,
    stablePrefixTokens: tokens,
  },
  { session: recordOf<SessionKey>({ scope, id: text }, {}), model: text },
);

export const listReceiptsResult: fc.Arbitrary<ListReceiptsResult> = recordOf<ListReceiptsResult>(
  { receipts: fc.array(summary, { maxLength: 2 }), keepMilliseconds: fc.maxSafeNat() },
  { nextPageToken: text.filter((token) => token !== "") },
);

export const keptReceipt: fc.Arbitrary<KeptReceipt> = recordOf<KeptReceipt>(
  {
    summary,
    receipt,
    prefix: fc.array(recordOf<PrefixSection>({ name: text, hash: text }, {}), { maxLength: 2 }),
    memories: fc.array(recordOf<MemoryVersion>({ id: memoryId, version: tokens }, {}), { maxLength: 2 }),
  },
  {},
);
