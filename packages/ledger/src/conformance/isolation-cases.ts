import { deepEqual, equal } from "node:assert/strict";
import { globalScope, type MemoryRecord, packedIdBytes, type Scope, scopeKinds, type TenantId } from "@loci/domain";
import type { ListQuery } from "../index.ts";
import { type LedgerCaseFile, type LedgerContext, authorOf, refsOf } from "./ledger-context.ts";
import {
  beginning,
  contentHashOf,
  refNumber,
  removed,
  sampleEmbedding,
  sampleMemory,
  space,
  written,
} from "./samples.ts";

/** Names that a pattern, a join, a case fold or a normalisation would confuse. */
const hostileNames = [
  "a_c",
  "abc",
  "a%",
  "a",
  "A",
  "a:b",
  "acme",
  "acme-corp",
  "\u00e9",
  "e\u0301",
  "x' OR 1=1 --",
  '"; DROP TABLE memories; --',
  "a\\",
  "1",
  "01",
  "1.0",
  "null",
] as const;

/** Every tenant with its own number and text, under the same ref. */
async function fillTenants(context: LedgerContext): Promise<readonly TenantId[]> {
  const tenants = hostileNames.map((name) => `${context.tenant}${name}` as TenantId);
  for (const [index, tenant] of tenants.entries()) {
    const text = `text of ${index}`;
    const memory = sampleMemory(1, {
      text,
      key: "key",
      isStatic: true,
      tags: ["tag", `tag of ${index}`],
      provenance: { sourceId: "source", kind: "document", position: index },
    });
    await context.commit([written(memory)], {
      ...authorOf(tenant),
      expect: [{ ref: memory.id, version: 0 }],
      embeddings: [sampleEmbedding("the same text", index)],
    });
  }
  return tenants;
}

const query: ListQuery = { scopes: [{ kind: "user", id: "alice" }], evaluationTime: beginning, limit: 1000 };

/** Tenants and scopes never see each other, whatever their names. */
export const isolationCases: LedgerCaseFile = {
  covers: ["commit", "list", "memories"],
  cases: [
    {
      method: "memories",
      name: "and every other read give each tenant its own",
      run: async (context) => {
        const { ledger } = context;
        const tenants = await fillTenants(context);
        for (const [index, tenant] of tenants.entries()) {
          const [scope] = query.scopes;
          const reads = [
            [...(await ledger.memories(tenant, [refNumber(1)])).values()],
            await ledger.versions(tenant, refNumber(1)),
            await ledger.list(tenant, query),
            await ledger.standing(tenant, query),
            await ledger.byTags(tenant, { ...query, tags: ["tag"] }),
            await ledger.atPositions(
              tenant,
              query.scopes,
              tenants.map((_, position) => ({ sourceId: "source", position })),
            ),
            await ledger.asKnownAt(tenant, { ...query, knownAt: beginning }),
            await ledger.byTexts(tenant, { scope, texts: tenants.map((_, at) => `text of ${at}`), limitOfEach: 9 }),
            await ledger.byKeys(tenant, { scope, keys: ["key"] }),
            await ledger.withoutEmbedding(tenant, space, 10),
          ];
          for (const found of reads)
            deepEqual(
              found.map(({ memory }) => memory.text),
              [`text of ${index}`],
            );
          const asked: string[] = [];
          const suits = ({ text }: MemoryRecord): boolean => asked.push(text) > 0;
          const every = { kinds: scopeKinds, scopes: [], states: ["active"], order: "created" } as const;
          for (const some of [
            { ...query, ...every },
            { ...query, ...every, suits },
          ])
            equal((await ledger.refs(tenant, some)).length, packedIdBytes);
          deepEqual(asked, [`text of ${index}`]);
          equal(await ledger.lastPosition(tenant, scope, "source"), index);
          const tags = await ledger.tags(tenant, { ...query, category: "fact" });
          deepEqual(tags.toSorted(), ["tag", `tag of ${index}`]);
          equal(await ledger.head(tenant), 1);
          equal((await ledger.changes(tenant, 0, 10)).length, 1);
          const vectors = await ledger.embeddings(tenant, space, [contentHashOf("the same text")]);
          deepEqual([...vectors.values()], [sampleEmbedding("", index).vectors]);
        }
      },
    },
    {
      method: "commit",
      name: "for one tenant leaves all others as they were",
      run: async (context) => {
        const { ledger } = context;
        const tenants = await fillTenants(context);
        const [changed, ...others] = tenants;
        const seen = async (): Promise<unknown> =>
          Promise.all(
            others.map(async (tenant) => [
              await ledger.changes(tenant, 0, 10),
              await ledger.list(tenant, query),
              await ledger.byTags(tenant, { ...query, tags: ["tag"] }),
            ]),
          );
        const before = await seen();
        if (changed !== undefined) {
          await ledger.recordUsage(changed, [{ ref: refNumber(1), at: beginning }]);
          await context.commit([removed(refNumber(1), 2)], { ...authorOf(changed) });
        }
        deepEqual(await seen(), before);
      },
    },
    {
      method: "list",
      name: "keeps scopes apart, whatever their kinds and ids",
      run: async (context) => {
        const { ledger, tenant } = context;
        const named = hostileNames.flatMap((id): Scope[] => [
          { kind: "user", id },
          { kind: "project", id },
        ]);
        const scopes = [...named, globalScope, { kind: "user", id: "global" } as const];
        await context.remember(...scopes.map((scope, index) => sampleMemory(index + 1, { scope, tags: ["tag"] })));
        for (const [index, scope] of scopes.entries()) {
          const own: ListQuery = { ...query, scopes: [scope] };
          deepEqual(refsOf(await ledger.list(tenant, own)), [refNumber(index + 1)]);
          deepEqual(refsOf(await ledger.byTags(tenant, { ...own, tags: ["tag"] })), [refNumber(index + 1)]);
          deepEqual(refsOf(await ledger.asKnownAt(tenant, { ...own, knownAt: beginning })), [refNumber(index + 1)]);
        }
      },
    },
  ],
};
