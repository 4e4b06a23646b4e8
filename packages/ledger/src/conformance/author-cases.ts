import { deepEqual, equal } from "node:assert/strict";
import { globalScope, type Scope } from "@loci/domain";
import { expectRefusal, type LedgerCaseFile } from "./ledger-context.ts";
import { contentHashOf, refNumber, removed, sampleEmbedding, sampleMemory, space, written } from "./samples.ts";

const bob: Scope = { kind: "user", id: "bob" };

/** Who is behind what is committed, why, and where they may write. */
export const authorCases: LedgerCaseFile = {
  covers: ["changes", "commit"],
  cases: [
    {
      method: "changes",
      name: "says who was behind each entry, and why, until it is purged",
      run: async (context) => {
        const { ledger, tenant } = context;
        await context.remember(sampleMemory(1), sampleMemory(2));
        const author = { subject: "api-key:ci", activity: "expire" };
        await context.commit([removed(refNumber(1), 2)], { author, reason: "EXPIRED" });
        const contentHash = contentHashOf("memory 2");
        await context.commit([{ type: "embeddingRecorded", ref: refNumber(2), version: 1, space, contentHash }], {
          author: { activity: "embedding-repair" },
          embeddings: [sampleEmbedding("memory 2")],
        });
        const told = async (): Promise<readonly unknown[]> =>
          (await ledger.changes(tenant, 0, 10)).map(({ author: by, reason }) => [by, reason]);
        const local = [{ subject: "local" }, undefined];
        const repair = [{ activity: "embedding-repair" }, undefined];
        deepEqual(await told(), [local, local, [author, "EXPIRED"], repair]);
        await ledger.purge(tenant, { refs: [refNumber(1)] });
        const nobody = [undefined, undefined];
        deepEqual(await told(), [nobody, local, nobody, repair]);
      },
    },
    {
      method: "commit",
      name: "writes only where the author may, whatever a memory was or is to be",
      run: async (context) => {
        const alices = { scopePatterns: ["user:alice"] };
        await context.commit([written(sampleMemory(1))], alices);
        await context.remember(sampleMemory(2, { scope: bob }), sampleMemory(3, { scope: globalScope }));
        const contentHash = contentHashOf("memory 2");
        const refused = [
          written(sampleMemory(4, { scope: bob })),
          written(sampleMemory(1, { version: 2, scope: bob })),
          written(sampleMemory(2, { version: 2 })),
          written(sampleMemory(3, { version: 2 })),
          removed(refNumber(2), 2),
          { type: "embeddingRecorded", ref: refNumber(2), version: 1, space, contentHash } as const,
        ];
        for (const change of refused) {
          const both = [written(sampleMemory(9)), change];
          await expectRefusal(() => context.commit(both, alices), "SCOPE_NOT_PERMITTED");
        }
        await expectRefusal(
          () => context.commit([written(sampleMemory(9))], { scopePatterns: [] }),
          "SCOPE_NOT_PERMITTED",
        );
        await context.commit([removed(refNumber(2), 2)], { scopePatterns: ["project:x", "user:*"] });
        await context.commit([written(sampleMemory(1, { version: 2 }))], alices);
        equal(await context.ledger.head(context.tenant), 5);
      },
    },
  ],
};
