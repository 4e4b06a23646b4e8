import {
  type ConversationInput,
  type ExportedMemory,
  type ExportMemoriesRequest,
  type Etag,
  etagOf,
  type ListMemoriesRequest,
  type ListMemoriesResult,
  type ListMemoryScopesRequest,
  type ListMemoryScopesResult,
  type Memory,
  type MemoryChange,
  type MemoryId,
  type MemoryPatch,
  memoryStates,
  type MemoryUsage,
  type MemoryWarning,
  type Metadata,
  origins,
  type Provenance,
  provenanceKinds,
  type RememberInput,
  type Scope,
  scopeKinds,
  type WatchMemoriesRequest,
} from "@loci/domain";
import fc from "fast-check";
import type { MemoryUpdate } from "../../src/index.ts";
import { double, identifier, instant, int32, namedValues, recordOf, text, uuid } from "./plain-values.ts";

export const memoryId = uuid as fc.Arbitrary<MemoryId>;

export const scope: fc.Arbitrary<Scope> = fc.oneof(
  fc.constant<Scope>({ kind: "global" }),
  fc.record(
    {
      kind: fc.constantFrom(...scopeKinds.filter((kind) => kind !== "global")),
      // Stands for all of a kind, and is the id of none.
      id: identifier.filter((id) => id !== "*"),
    },
    { noNullPrototype: true },
  ),
);

/** As parsing leaves them: at least one, each once. */
export const scopes: fc.Arbitrary<Scope[]> = fc.uniqueArray(scope, {
  minLength: 1,
  maxLength: 4,
  selector: ({ kind, id }) => `${kind}:${id}`,
});

export const metadata: fc.Arbitrary<Metadata> = namedValues(fc.oneof(text, double, fc.boolean()));

export const provenance: fc.Arbitrary<Provenance> = recordOf<Provenance>(
  { sourceId: text, kind: fc.constantFrom(...provenanceKinds) },
  {
    confidence: double,
    position: fc.maxSafeInteger(),
    speaker: text,
    role: fc.constantFrom("person" as const, "assistant" as const, "tool" as const),
    createdAt: instant,
    retrievalScore: double,
  },
);

const usage = recordOf<MemoryUsage>({ accessCount: fc.maxSafeNat() }, { lastAccessedAt: instant });

export const memory: fc.Arbitrary<Memory> = recordOf<Memory>(
  {
    id: memoryId,
    text,
    category: text,
    scope,
    importance: double,
    confidence: double,
    isStatic: fc.boolean(),
    tags: fc.array(text, { maxLength: 3 }),
    origin: fc.constantFrom(...origins),
    trust: fc.constantFrom("trusted", "untrusted"),
    metadata,
    createdAt: instant,
    updatedAt: instant,
    version: fc.maxSafeNat(),
    state: fc.constantFrom("active", "quarantined", "deleted"),
    etag: text as fc.Arbitrary<Etag>,
    recordedAt: instant,
    usage,
    embedding: fc.constantFrom("ready", "pending"),
  },
  {
    key: text,
    isPinned: fc.boolean(),
    slot: text,
    slotValue: text,
    approvedBy: text,
    approvedAt: instant,
    provenance,
    validFrom: instant,
    validTo: instant,
    expiresAt: instant,
    supersededBy: memoryId,
    warnings: fc.array(
      recordOf<MemoryWarning>(
        { reason: fc.constantFrom("HOLDS_SECRET", "ALREADY_EXPIRED", "TIME_IN_SECONDS"), message: text, advice: text },
        {},
      ),
      {
        minLength: 1,
        maxLength: 3,
      },
    ),
  },
);

/** An empty list and empty metadata are as good as none: the wire has one form for both. */
export const rememberInput: fc.Arbitrary<RememberInput> = recordOf<RememberInput>(
  { text, scope },
  {
    key: text,
    category: text,
    importance: double,
    confidence: double,
    isStatic: fc.boolean(),
    isPinned: fc.boolean(),
    tags: fc.array(text, { minLength: 1, maxLength: 3 }),
    slot: text,
    origin: fc.constantFrom(...origins),
    provenance,
    trust: fc.constantFrom("trusted", "untrusted"),
    metadata: metadata.filter((values) => Object.keys(values).length > 0),
    createdAt: instant,
    validFrom: instant,
    validTo: instant,
    expiresAt: instant,
    repeat: fc.constantFrom("refresh", "add"),
  },
);

/** Here an empty list removes the tags that are there, which is not the same as leaving them. */
const patch = recordOf<MemoryPatch>(
  {},
  {
    text,
    category: text,
    importance: double,
    confidence: double,
    isStatic: fc.boolean(),
    isPinned: fc.boolean(),
    tags: fc.array(text, { maxLength: 3 }),
    slot: fc.option(text),
    provenance: fc.option(provenance),
    metadata,
    validFrom: fc.option(instant),
    validTo: fc.option(instant),
    expiresAt: fc.option(instant),
    supersededBy: fc.option(memoryId),
  },
);

export const memoryUpdate: fc.Arbitrary<MemoryUpdate> = fc
  .tuple(memoryId, patch, fc.maxSafeNat(), fc.option(fc.tuple(scope, text)), fc.boolean())
  .map(([id, patch, version, key, allowMissing]) => ({
    which: key === null ? id : { scope: key[0], key: key[1] },
    patch,
    precondition: key !== null && allowMissing ? { allowMissing } : { etag: etagOf(id, version) },
  }));

export const conversation: fc.Arbitrary<ConversationInput> = recordOf<ConversationInput>(
  {
    scope,
    turns: fc.array(fc.record({ id: text, speaker: text, content: text, at: instant }, { noNullPrototype: true }), {
      maxLength: 3,
    }),
  },
  { session: text },
);

export const listRequest: fc.Arbitrary<ListMemoriesRequest> = recordOf<ListMemoriesRequest>(
  { scopes },
  {
    categories: fc.array(text, { minLength: 1, maxLength: 3 }),
    states: fc.subarray([...memoryStates], { minLength: 1 }),
    validAt: instant,
    pageSize: int32,
    pageToken: text.filter((token) => token !== ""),
    evaluationTime: instant,
  },
);

export const listResult: fc.Arbitrary<ListMemoriesResult> = recordOf<ListMemoriesResult>(
  { memories: fc.array(memory, { maxLength: 3 }) },
  { nextPageToken: text.filter((token) => token !== "") },
);

export const listScopesRequest: fc.Arbitrary<ListMemoryScopesRequest> = recordOf<ListMemoryScopesRequest>(
  {},
  {
    kind: fc.constantFrom(...scopeKinds),
    pageSize: int32,
    pageToken: text.filter((token) => token !== ""),
  },
);

export const listScopesResult: fc.Arbitrary<ListMemoryScopesResult> = recordOf<ListMemoryScopesResult>(
  { scopes: fc.array(fc.record({ scope, memories: fc.maxSafeNat() }, { noNullPrototype: true }), { maxLength: 3 }) },
  { nextPageToken: text.filter((token) => token !== "") },
);

const cursor = text.filter((one) => !["", "now", "beginning"].includes(one));

export const watchRequest: fc.Arbitrary<WatchMemoriesRequest> = recordOf<WatchMemoriesRequest>(
  { scopes: fc.oneof(fc.constant("*" as const), scopes) },
  // What is the default is not said on the wire.
  { since: fc.oneof(fc.constant("beginning"), cursor) },
);

export const memoryChange: fc.Arbitrary<MemoryChange> = fc.oneof(
  fc.record({ type: fc.constant("written" as const), cursor: text, memory }, { noNullPrototype: true }),
  fc.record({ type: fc.constant("removed" as const), cursor: text, id: memoryId }, { noNullPrototype: true }),
  fc.record({ type: fc.constant("reached" as const), cursor: text }, { noNullPrototype: true }),
);

export const exportRequest: fc.Arbitrary<ExportMemoriesRequest> = recordOf<ExportMemoriesRequest>(
  {},
  { after: text.filter((one) => one !== "") },
);

export const exportedMemory: fc.Arbitrary<ExportedMemory> = recordOf<ExportedMemory>({ id: memoryId, line: text }, {});
