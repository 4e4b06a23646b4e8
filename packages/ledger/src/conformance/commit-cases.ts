import { deepEqual, equal, ok } from "node:assert/strict";
import { LociError } from "@loci/domain";
import { expectRefusal, type LedgerCaseFile } from "./ledger-context.ts";
import {
  beginning,
  dayMilliseconds,
  refNumber,
  removed,
  sampleEmbedding,
  sampleMemory,
  space,
  written,
} from "./samples.ts";

/** Batches: whole or not at all, in order, guarded by versions. */
export const commitCases: LedgerCaseFile = {
  covers: ["commit"],
  cases: [
    {
      method: "commit",
      name: "numbers the changes without gaps and answers for each in order",
      run: async (context) => {
        const first = await context.remember(sampleMemory(1), sampleMemory(2));
        deepEqual(first, {
          sequence: 2,
          recordedAt: beginning,
          replayed: false,
          results: [
            { ref: refNumber(1), version: 1 },
            { ref: refNumber(2), version: 1 },
          ],
        });
        const second = await context.commit([removed(refNumber(1), 2), written(sampleMemory(3))]);
        equal(second.sequence, 4);
        const log = await context.ledger.changes(context.tenant, 0, 10);
        deepEqual(
          log.map(({ sequence }) => sequence),
          [1, 2, 3, 4],
        );
      },
    },
    {
      method: "commit",
      name: "keeps every field of a memory as it was given",
      run: async (context) => {
        const full = sampleMemory(1, {
          text: "line\n\ttab \" ' \\ 日本語 🧠 \u200b </knowledge> ${x} %s",
          category: "custom-category",
          tags: ["Deploy", "deploy", "ärger"],
          slot: "theme",
          metadata: { __proto__x: "a", count: 3.25, on: false, text: "'; DROP TABLE changes; --" },
          provenance: {
            sourceId: "ADR-007",
            kind: "adr",
            confidence: 0.25,
            position: 0,
            createdAt: -5,
            retrievalScore: 1,
          },
          trust: "untrusted",
          validFrom: -1000,
          validTo: 8.64e15,
          expiresAt: beginning + dayMilliseconds,
          supersededBy: refNumber(9),
        });
        await context.remember(full);
        const stored = await context.memory(full.id);
        deepEqual(stored.memory, full);
        deepEqual(stored.usage, { accessCount: 0 });
      },
    },
    {
      method: "commit",
      name: "takes a text of the largest size and a thousand memories at once",
      run: async (context) => {
        const large = sampleMemory(5000, { text: "ä".repeat(32 * 1024) });
        const many = Array.from({ length: 1000 }, (_, index) => sampleMemory(index + 1));
        equal((await context.remember(...many, large)).sequence, 1001);
        equal((await context.memory(large.id)).memory.text, large.text);
        equal(
          (
            await context.ledger.memories(
              context.tenant,
              many.map(({ id }) => id),
            )
          ).size,
          1000,
        );
      },
    },
    {
      method: "commit",
      name: "changes nothing when an expectation does not hold",
      run: async (context) => {
        const { ledger, tenant } = context;
        await context.remember(sampleMemory(1));
        for (const [ref, version] of [
          [refNumber(1), 0],
          [refNumber(1), 2],
          [refNumber(7), 1],
        ] as const) {
          const changes = [written(sampleMemory(2)), written(sampleMemory(1, { version: 2 }))];
          const embeddings = [sampleEmbedding("memory 2")];
          const refuse = (): Promise<unknown> => context.commit(changes, { expect: [{ ref, version }], embeddings });
          equal((await expectRefusal(refuse, "VERSION_CONFLICT")).resource, ref);
        }
        equal(await ledger.head(tenant), 1);
        deepEqual([...(await ledger.memories(tenant, [refNumber(1), refNumber(2)])).keys()], [refNumber(1)]);
        equal((await ledger.embedded(tenant, space, [sampleEmbedding("memory 2").contentHash])).size, 0);
      },
    },
    {
      method: "commit",
      name: "holds expectations against the state before the batch, tombstones included",
      run: async (context) => {
        const expectNew = [{ ref: refNumber(1), version: 0 }];
        await context.commit([written(sampleMemory(1)), written(sampleMemory(1, { version: 2 }))], {
          expect: expectNew,
        });
        await context.commit([removed(refNumber(1), 3)], { expect: [{ ref: refNumber(1), version: 2 }] });
        await expectRefusal(() => context.commit([], { expect: expectNew }), "VERSION_CONFLICT");
        const committed = await context.commit([], { expect: [{ ref: refNumber(1), version: 3 }] });
        deepEqual(committed, { sequence: 3, recordedAt: beginning, replayed: false, results: [] });
      },
    },
    {
      method: "commit",
      name: "accepts only the version after the current one, even when nothing is expected",
      run: async (context) => {
        await context.remember(sampleMemory(1));
        for (const changes of [
          [written(sampleMemory(1))],
          [written(sampleMemory(1, { version: 3 }))],
          [written(sampleMemory(2, { version: 2 }))],
          [removed(refNumber(1), 1)],
          [removed(refNumber(1), 3)],
          [removed(refNumber(3), 1)],
          [written(sampleMemory(4)), written(sampleMemory(4))],
        ])
          await expectRefusal(() => context.commit(changes), "VERSION_CONFLICT");
        equal(await context.ledger.head(context.tenant), 1);
        equal((await context.ledger.memories(context.tenant, [2, 3, 4].map(refNumber))).size, 0);
      },
    },
    {
      method: "commit",
      name: "lets exactly the right ones of 20 concurrent read-modify-writes win",
      run: async (context) => {
        const ref = refNumber(1);
        await context.remember(sampleMemory(1, { metadata: { count: 0 } }));
        let conflicts = 0;
        const increment = async (): Promise<void> => {
          for (;;) {
            const { memory } = await context.memory(ref);
            const next = {
              ...memory,
              version: memory.version + 1,
              metadata: { count: Number(memory.metadata["count"]) + 1 },
            };
            try {
              await context.commit([written(next)], { expect: [{ ref, version: memory.version }] });
              return;
            } catch (error) {
              if (!LociError.is(error) || error.reason !== "VERSION_CONFLICT") throw error;
              conflicts++;
            }
          }
        };
        await Promise.all(Array.from({ length: 20 }, increment));
        const { memory } = await context.memory(ref);
        deepEqual([memory.version, memory.metadata], [21, { count: 20 }]);
        ok(conflicts > 0, "the writers never met");
        equal(await context.ledger.head(context.tenant), 21);
      },
    },
    {
      method: "commit",
      name: "lets one caller's conflict harm none of those it shares a transaction with",
      run: async (context) => {
        await context.remember(sampleMemory(1));
        const outcomes = await Promise.allSettled(
          Array.from({ length: 30 }, (_, index) =>
            context.remember(index % 3 === 0 ? sampleMemory(1) : sampleMemory(index + 10)),
          ),
        );
        for (const [index, { status }] of outcomes.entries())
          equal(status, index % 3 === 0 ? "rejected" : "fulfilled", `batch ${index}`);
        const log = await context.ledger.changes(context.tenant, 0, 100);
        deepEqual(
          log.map(({ sequence }) => sequence),
          Array.from({ length: 21 }, (_, index) => index + 1),
        );
      },
    },
    {
      method: "commit",
      name: "records times that never decrease, whatever the clock does",
      run: async (context) => {
        const times: number[] = [];
        for (const [index, jump] of [0, dayMilliseconds, -2 * dayMilliseconds, 5, 3 * dayMilliseconds].entries()) {
          context.clock.now += jump;
          times.push((await context.remember(sampleMemory(index + 1))).recordedAt);
        }
        const highest = beginning + dayMilliseconds;
        deepEqual(times, [beginning, highest, highest, highest, beginning + 2 * dayMilliseconds + 5]);
        const log = await context.ledger.changes(context.tenant, 0, 10);
        deepEqual(
          log.map(({ recordedAt }) => recordedAt),
          times,
        );
      },
    },
    {
      method: "commit",
      name: "writes nothing for a call that was over before it began",
      run: async (context) => {
        const late = [written(sampleMemory(1))];
        const gone = { signal: AbortSignal.abort() };
        await expectRefusal(() => context.commit(late, {}, gone), "CANCELLED");
        await expectRefusal(() => context.commit(late, {}, { deadline: 1 }), "DEADLINE_EXCEEDED");
        equal(await context.ledger.head(context.tenant), 0);
      },
    },
    {
      method: "commit",
      name: "either writes a batch or says that it was cancelled, never both",
      run: async (context) => {
        const attempts = Array.from({ length: 40 }, async (_, index) => {
          const controller = new AbortController();
          const running = context.commit([written(sampleMemory(index + 1))], {}, { signal: controller.signal });
          if (index % 2 === 0) controller.abort();
          else setTimeout(() => controller.abort(), index % 5);
          return running.then(
            () => true,
            (error: unknown) => {
              if (LociError.is(error) && error.reason === "CANCELLED") return false;
              throw error;
            },
          );
        });
        const acknowledged = await Promise.all(attempts);
        const refs = acknowledged.map((_, index) => refNumber(index + 1));
        const stored = await context.ledger.memories(context.tenant, refs);
        deepEqual(
          refs.map((ref) => stored.has(ref)),
          acknowledged,
        );
        equal(await context.ledger.head(context.tenant), stored.size);
      },
    },
  ],
};
