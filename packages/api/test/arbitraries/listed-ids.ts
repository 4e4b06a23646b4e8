import { type MemoryIdsPart, type MemoryIdsRequest, memoryOrders, memoryStates } from "@loci/domain";
import fc from "fast-check";
import { scopes } from "./memories.ts";
import { identifier, instant, recordOf, text } from "./plain-values.ts";
import { filter } from "./recall.ts";

export const memoryIdsRequest: fc.Arbitrary<MemoryIdsRequest> = recordOf<MemoryIdsRequest>(
  { scopes: fc.oneof(fc.constant("*" as const), scopes) },
  {
    states: fc.subarray([...memoryStates], { minLength: 1 }),
    categories: fc.array(identifier, { minLength: 1, maxLength: 3 }),
    where: filter,
    text,
    orderBy: fc.constantFrom(...memoryOrders),
    evaluationTime: instant,
  },
);

export const memoryIdsPart: fc.Arbitrary<MemoryIdsPart> = recordOf<MemoryIdsPart>(
  {
    ids: fc.uint8Array({ maxLength: 48 }),
    offset: fc.maxSafeNat(),
    total: fc.maxSafeNat(),
    sequence: fc.maxSafeNat(),
    cursor: text,
  },
  {},
);
