import assert from "node:assert/strict";
import type { GetMemoriesRequest, GetMemoriesResult, MemoryId } from "@loci/domain";
import { type BehaviourFile, refuses } from "./behaviour-case.ts";

const scope = "user:alice";
const nobody = "01a21c80-1183-74b7-b713-a020a14aea24" as MemoryId;

function idsOf(memories: readonly { readonly id: MemoryId }[]): readonly MemoryId[] {
  return memories.map(({ id }) => id);
}

export const manyMemoriesCases: BehaviourFile = {
  covers: ["memories.getMany"],
  cases: [
    {
      name: "many memories are read in the order of their ids, each once, and it is said which are missing",
      run: async ({ loci }) => {
        const written = await loci.memories.rememberMany(
          Array.from({ length: 70 }, (_, index) => ({ text: `The theme of ${index} is Nord.`, scope }) as const),
        );
        const ids = idsOf(written).toReversed();
        const { memories, missing, cut, unread } = await loci.memories.getMany({
          ids: [...ids, nobody, ...ids.slice(0, 3)],
        });
        assert.deepEqual(memories, written.toReversed());
        assert.deepEqual([missing, cut, unread], [[nobody], [], []]);
      },
    },
    {
      name: "texts of many memories are cut to whole characters",
      run: async ({ loci }) => {
        const [plain, wide, short] = await loci.memories.rememberMany([
          { text: "abcdefghij", scope },
          { text: "ab💥💥", scope },
          { text: "abcde", scope },
        ]);
        assert.ok(plain && wide && short);
        const ids = idsOf([plain, wide, short]);
        const { memories, cut } = await loci.memories.getMany({ ids, textBytes: 5 });
        assert.deepEqual(
          memories.map(({ text }) => text),
          ["abcde", "ab", "abcde"],
        );
        assert.deepEqual(cut, [plain.id, wide.id]);
        assert.deepEqual(memories[0], { ...plain, text: "abcde" });
        const none = await loci.memories.getMany({ ids: [wide.id], textBytes: 1 });
        assert.deepEqual([none.memories[0]?.text, none.cut], ["a", [wide.id]]);
      },
    },
    {
      name: "an answer with many memories ends at 2 MiB, and names what it had no room for",
      run: async ({ loci }) => {
        const ids: MemoryId[] = [];
        for (let call = 0; call < 2; call++) {
          const some = Array.from({ length: 20 }, (_, index) => `${call} ${index} ${"x".repeat(60_000)}`);
          ids.push(...idsOf(await loci.memories.rememberMany(some.map((text) => ({ text, scope }) as const))));
        }
        const first = await loci.memories.getMany({ ids });
        assert.ok(first.memories.length >= 30 && first.memories.length < 40);
        assert.deepEqual([...idsOf(first.memories), ...first.unread], ids);
        const rest = await loci.memories.getMany({ ids: first.unread });
        assert.deepEqual(rest.unread, []);
        const begun = await loci.memories.getMany({ ids, textBytes: 100 });
        assert.deepEqual([idsOf(begun.memories), begun.cut, begun.unread], [ids, ids, []]);
      },
    },
    {
      name: "many memories are those that the caller may read, and no others",
      run: async ({ loci, as }) => {
        const [own, foreign, gone] = await loci.memories.rememberMany([
          { text: "The theme is Solarized.", scope },
          { text: "The theme of Bob is Nord.", scope: "user:bob" },
          { text: "The theme was Gruvbox.", scope },
        ]);
        assert.ok(own && foreign && gone);
        await loci.memories.forget(gone.id);
        const failure = "The deploy failed on a Friday.";
        const waiting = await loci.captures.recordPostMortem({ scope, failure, lesson: "Deploy on weekdays only." });
        const ids = [own.id, foreign.id, gone.id, waiting.id];
        const alice = await as({ scopePatterns: [scope] });
        const read = await alice.memories.getMany({ ids });
        assert.deepEqual([idsOf(read.memories), read.missing], [[own.id], [foreign.id, gone.id, waiting.id]]);
        const deleted = await alice.memories.getMany({ ids, withDeleted: true });
        assert.deepEqual(
          deleted.memories.map(({ id, state }) => [id, state]),
          [
            [own.id, "active"],
            [gone.id, "deleted"],
          ],
        );
        const approver = await as({ roles: ["read", "approve"] });
        assert.deepEqual(idsOf((await approver.memories.getMany({ ids })).memories), [own.id, foreign.id, waiting.id]);
        const other = await as({ tenant: "acme-corp" as never });
        assert.deepEqual((await other.memories.getMany({ ids, withDeleted: true })).missing, ids);
        await refuses((await as({ roles: ["write"] })).memories.getMany({ ids }), "ROLE_REQUIRED");
      },
    },
    {
      name: "reading many memories refuses bad input, naming the field",
      run: async ({ loci }) => {
        const getMany = (request: GetMemoriesRequest): Promise<GetMemoriesResult> => loci.memories.getMany(request);
        const many = Array.from({ length: 501 }, () => nobody);
        await refuses(getMany({ ids: [] }), "INVALID_REQUEST", "ids");
        await refuses(getMany({ ids: many }), "INVALID_REQUEST", "ids");
        await refuses(getMany({ ids: "all" as never }), "INVALID_REQUEST", "ids");
        await refuses(getMany({ ids: ["' OR 1=1 --" as MemoryId] }), "INVALID_IDENTIFIER", "id");
        await refuses(getMany({ ids: [7 as never] }), "INVALID_IDENTIFIER", "id");
        for (const textBytes of [0, -1, 1.5, 65_537])
          await refuses(getMany({ ids: [nobody], textBytes }), "INVALID_NUMBER", "textBytes");
        await refuses(getMany({ ids: [nobody], withDeleted: "yes" as never }), "INVALID_REQUEST", "withDeleted");
        assert.deepEqual((await getMany({ ids: many.slice(1) })).missing, [nobody]);
      },
    },
  ],
};
