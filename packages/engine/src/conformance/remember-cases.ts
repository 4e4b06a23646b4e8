import assert from "node:assert/strict";
import { etagOf, type MemoryId, type RememberInput, utf8ByteLength } from "@loci/domain";
import { type BehaviourFile, refuses } from "./behaviour-case.ts";

const scope = "user:alice";

export const rememberCases: BehaviourFile = {
  covers: ["memories.remember", "memories.rememberMany"],
  cases: [
    {
      name: "remember fills in the defaults and answers with a durable memory",
      run: async ({ loci }) => {
        const before = Date.now() - 60_000;
        const memory = await loci.memories.remember({ text: "The theme is Solarized.", scope });
        assert.equal(memory.text, "The theme is Solarized.");
        assert.deepEqual(memory.scope, { kind: "user", id: "alice" });
        const { category, importance, confidence, isStatic, tags, origin, trust, metadata, version, state } = memory;
        assert.deepEqual(
          { category, importance, confidence, isStatic, tags, origin, trust, metadata, version, state },
          {
            category: "fact",
            importance: 0.7,
            confidence: 1,
            isStatic: false,
            tags: [],
            origin: "manual",
            trust: "trusted",
            metadata: {},
            version: 1,
            state: "active",
          },
        );
        assert.equal(memory.etag, etagOf(memory.id, 1));
        assert.deepEqual(memory.usage, { accessCount: 0 });
        assert.ok(memory.recordedAt > before || memory.createdAt === memory.updatedAt);
        assert.deepEqual(await loci.memories.get(memory.id), memory);
      },
    },
    {
      name: "a memory that has expired already is stored, with a warning",
      run: async ({ loci }) => {
        const expired: RememberInput = { text: "The sale ends soon.", scope, expiresAt: 1_767_000 };
        const stored = await loci.memories.remember(expired);
        assert.equal(stored.expiresAt, 1_767_000);
        assert.deepEqual(
          stored.warnings?.map(({ reason }) => reason),
          ["ALREADY_EXPIRED"],
        );
        assert.match(stored.warnings?.[0]?.message ?? "", /1970-01-01T00:29:27\.000Z/);
        const [many, ahead] = await loci.memories.rememberMany([
          { ...expired, text: "The other sale ends soon." },
          { text: "The next sale ends late.", scope, expiresAt: 9_000_000_000_000 },
        ]);
        assert.equal(many?.warnings?.length, 1);
        assert.equal(ahead?.warnings, undefined);
      },
    },
    {
      name: "a time that was given in seconds, as it seems, is stored as given, with a warning",
      run: async ({ loci }) => {
        const inSeconds = 1_767_225_600;
        const stored = await loci.memories.remember({ text: "We sail on Sunday.", scope, createdAt: inSeconds });
        assert.equal(stored.createdAt, inSeconds);
        assert.deepEqual(
          stored.warnings?.map(({ reason }) => reason),
          ["TIME_IN_SECONDS"],
        );
        assert.match(stored.warnings?.[0]?.message ?? "", /1970-01-21.*2026-01-01T00:00:00\.000Z/);
        const [old, today] = await loci.memories.rememberMany([
          {
            text: "The moon was walked on.",
            scope,
            createdAt: Date.UTC(1969, 6, 21),
            validFrom: Date.UTC(1969, 6, 21),
          },
          { text: "We sail on Monday.", scope, createdAt: inSeconds * 1_000, validFrom: inSeconds },
        ]);
        assert.equal(old?.warnings, undefined);
        assert.match(today?.warnings?.[0]?.message ?? "", /^validFrom/);
        const turn = { id: "1", speaker: "Ann", content: "We sail on Friday.", at: inSeconds };
        const [said] = await loci.memories.rememberConversation({ scope, session: "harbour", turns: [turn] });
        assert.equal(said?.warnings?.[0]?.reason, "TIME_IN_SECONDS");
      },
    },
    {
      name: "a program's own secret is stored as given, with a warning that does not hold it",
      run: async ({ loci }) => {
        const card = "4539 5787 6362 1486";
        const stored = await loci.memories.remember({ text: `The card is ${card}.`, scope });
        assert.equal(stored.text, `The card is ${card}.`);
        assert.deepEqual(
          stored.warnings?.map(({ reason }) => reason),
          ["HOLDS_SECRET"],
        );
        assert.match(stored.warnings?.[0]?.message ?? "", /class card/);
        assert.ok(!JSON.stringify(stored.warnings).includes("4539"));
        assert.equal((await loci.memories.get(stored.id)).warnings, undefined);
        const [clean, held] = await loci.memories.rememberMany([
          { text: "The theme is dark.", scope },
          { text: "The second card.", scope, tags: [card] },
        ]);
        assert.equal(clean?.warnings, undefined);
        assert.equal(held?.warnings?.length, 1);
        const patch = { text: `Another card: ${card}.` };
        const updated = await loci.memories.update(stored.id, patch, { etag: stored.etag });
        assert.equal(updated.warnings?.length, 1);
        const plain = await loci.memories.update(stored.id, { text: "No card." }, { etag: updated.etag });
        assert.equal(plain.warnings, undefined);
        await refuses(loci.memories.remember({ text: card, scope, origin: "import" }), "SECRET_REFUSED", "text");
      },
    },
    {
      name: "remember keeps every field as given",
      run: async ({ loci }) => {
        const input = {
          text: "Deploys happen on Tuesdays.\n日本語 👩‍👩‍👧 \u202e",
          scope: { kind: "project", id: "a:b" },
          category: "deploy_rules",
          importance: 0,
          confidence: 0.25,
          isStatic: true,
          tags: ["deploy day", "ops"],
          slot: "deploy day",
          origin: "import",
          provenance: {
            sourceId: "ADR-007",
            kind: "adr",
            confidence: 0.5,
            position: 0,
            createdAt: -5,
            retrievalScore: -1.5,
          },
          trust: "untrusted",
          metadata: { team: "core", weight: 1.5, reviewed: false, constructor: "mine" },
          createdAt: 1_000,
          validFrom: 0,
          validTo: 8.64e15,
          expiresAt: 8.64e15,
        } as const satisfies RememberInput;
        const { scope: asGiven, ...fields } = input;
        const memory = await loci.memories.get((await loci.memories.remember(input)).id);
        assert.deepEqual({ ...memory.scope }, asGiven);
        assert.deepEqual(
          Object.fromEntries(Object.keys(fields).map((name) => [name, memory[name as keyof typeof fields]])),
          fields,
        );
      },
    },
    {
      name: "remember chooses the importance by origin and category",
      run: async ({ loci }) => {
        const importance = async (input: Partial<RememberInput>): Promise<number> =>
          (await loci.memories.remember({ text: "Something.", scope, repeat: "add", ...input })).importance;
        assert.equal(await importance({ origin: "correction" }), 0.95);
        assert.equal(await importance({ category: "procedure" }), 0.9);
        assert.equal(await importance({ origin: "import" }), 0.5);
      },
    },
    {
      name: "remember takes 64 KiB of text and refuses more",
      run: async ({ loci }) => {
        const text = "é".repeat(32 * 1024);
        assert.equal(utf8ByteLength(text), 64 * 1024);
        assert.equal((await loci.memories.remember({ text, scope })).text, text);
        await refuses(loci.memories.remember({ text: `${text}.`, scope }), "TEXT_TOO_LARGE", "text");
      },
    },
    {
      name: "remember refuses bad input, naming the field",
      run: async ({ loci }) => {
        const good: RememberInput = { text: "Something.", scope };
        const bad: readonly (readonly [object, Parameters<typeof refuses>[1], string])[] = [
          [{ text: "" }, "INVALID_TEXT", "text"],
          [{ text: " \t\n" }, "INVALID_TEXT", "text"],
          [{ text: "\u200b\u2060\u00a0\ufeff" }, "INVALID_TEXT", "text"],
          [{ text: "a\0b" }, "INVALID_TEXT", "text"],
          [{ text: "a\ud800b" }, "INVALID_TEXT", "text"],
          [{ text: 7 }, "INVALID_TEXT", "text"],
          [{ scope: "nowhere:x" }, "INVALID_SCOPE", "scope"],
          [{ scope: undefined }, "INVALID_SCOPE", "scope"],
          [{ scope: "user:" }, "INVALID_IDENTIFIER", "scope.id"],
          [{ importance: 1.01 }, "INVALID_NUMBER", "importance"],
          [{ importance: -0.01 }, "INVALID_NUMBER", "importance"],
          [{ importance: Number.NaN }, "INVALID_NUMBER", "importance"],
          [{ confidence: Number.POSITIVE_INFINITY }, "INVALID_NUMBER", "confidence"],
          [{ category: "Fact" }, "INVALID_CATEGORY", "category"],
          [{ category: "" }, "INVALID_CATEGORY", "category"],
          [{ tags: [""] }, "INVALID_TAGS", "tags[0]"],
          [{ tags: ["x".repeat(65)] }, "INVALID_TAGS", "tags[0]"],
          [{ tags: Array.from({ length: 33 }, (_, index) => `t${index}`) }, "INVALID_TAGS", "tags"],
          [{ slot: "a\nb" }, "INVALID_IDENTIFIER", "slot"],
          [{ metadata: JSON.parse('{"__proto__": 1}') as object }, "INVALID_METADATA", "metadata.__proto__"],
          [{ metadata: { "a b": 1 } }, "INVALID_METADATA", "metadata.a b"],
          [{ metadata: { list: [1] } }, "INVALID_METADATA", "metadata.list"],
          [{ metadata: { number: Number.NaN } }, "INVALID_METADATA", "metadata.number"],
          [{ metadata: { large: "x".repeat(41 * 1024) } }, "METADATA_TOO_LARGE", "metadata"],
          [
            { metadata: Object.fromEntries(Array.from({ length: 7_000 }, (_, index) => [`n${index}`, 1])) },
            "METADATA_TOO_LARGE",
            "metadata",
          ],
          [{ createdAt: 1.5 }, "INVALID_INSTANT", "createdAt"],
          [{ expiresAt: Number.NaN }, "INVALID_INSTANT", "expiresAt"],
          [{ validFrom: 5, validTo: 5 }, "INVALID_INSTANT", "validTo"],
          [{ provenance: { sourceId: "", kind: "adr" } }, "INVALID_IDENTIFIER", "provenance.sourceId"],
          [{ provenance: { sourceId: "a", kind: "adr", position: -1 } }, "INVALID_NUMBER", "provenance.position"],
          [{ importanse: 1 }, "INVALID_REQUEST", "input.importanse"],
        ];
        for (const [fields, reason, field] of bad)
          await refuses(loci.memories.remember({ ...good, ...fields }), reason, field);
        assert.deepEqual((await loci.memories.list({ scopes: [scope] })).memories, []);
      },
    },
    {
      name: "rememberMany stores all or none, in order",
      run: async ({ loci }) => {
        const inputs = Array.from({ length: 30 }, (_, index) => ({ text: `Fact number ${index}.`, scope }) as const);
        const memories = await loci.memories.rememberMany(inputs);
        assert.deepEqual(
          memories.map(({ text }) => text),
          inputs.map(({ text }) => text),
        );
        assert.deepEqual(
          memories.map(({ id }) => id).toSorted(),
          memories.map(({ id }) => id),
        );
        for (const text of ["", " "])
          await refuses(loci.memories.rememberMany([...inputs, { text, scope }]), "INVALID_TEXT", "inputs[30].text");
        const { memories: stored } = await loci.memories.list({ scopes: [scope], pageSize: 100 });
        assert.equal(stored.length, 30);
        assert.deepEqual(await loci.memories.rememberMany([]), []);
        await refuses(
          loci.memories.rememberMany(Array.from({ length: 1_001 }, () => inputs[0] ?? { text: "", scope })),
          "INVALID_REQUEST",
          "inputs",
        );
      },
    },
    {
      name: "a repeated request id gives the first answer again, and refuses another body",
      run: async ({ loci }) => {
        const requestId = "request-1";
        const first = await loci.memories.remember({ text: "Once only.", scope }, { requestId });
        const again = await loci.memories.remember({ scope, text: "Once only." }, { requestId });
        assert.deepEqual(again, first);
        assert.equal((await loci.memories.list({ scopes: [scope] })).memories.length, 1);
        await refuses(loci.memories.remember({ text: "Another.", scope }, { requestId }), "REQUEST_ID_REUSED");
        const many = await loci.memories.rememberMany([{ text: "Another.", scope }], { requestId });
        assert.equal(many.length, 1);
      },
    },
    {
      name: "ten equal requests at once make one memory",
      run: async ({ loci }) => {
        const options = { requestId: "together" };
        const answers = await Promise.all(
          Array.from({ length: 10 }, () => loci.memories.remember({ text: "Once only.", scope }, options)),
        );
        assert.equal(new Set(answers.map(({ id }) => id)).size, 1);
        assert.equal((await loci.memories.list({ scopes: [scope] })).memories.length, 1);
      },
    },
    {
      name: "get refuses what is no id, and does not find what does not exist",
      run: async ({ loci }) => {
        await refuses(loci.memories.get("x' OR 1=1 --" as MemoryId), "INVALID_IDENTIFIER", "id");
        await refuses(loci.memories.get("01900000-0000-7000-8000-000000000000" as MemoryId), "MEMORY_NOT_FOUND");
      },
    },
  ],
};
