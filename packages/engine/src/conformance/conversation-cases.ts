import assert from "node:assert/strict";
import type { ConversationInput, ConversationTurn } from "@loci/domain";
import { type BehaviourFile, refuses } from "./behaviour-case.ts";

const scope = "user:alice";

function turn(index: number): ConversationTurn {
  const speaker = index % 2 === 0 ? "Alice" : "Bob";
  return { id: `turn-${index}`, speaker, content: `Sentence number ${index}.`, at: 1_000_000 + index };
}

function conversation(from: number, to: number): ConversationInput {
  return { session: "2026-03-01", scope, turns: Array.from({ length: to - from }, (_, index) => turn(from + index)) };
}

export const conversationCases: BehaviourFile = {
  covers: ["memories.rememberConversation"],
  cases: [
    {
      name: "rememberConversation keeps each turn with its place",
      run: async ({ loci }) => {
        const memories = await loci.memories.rememberConversation(conversation(0, 3));
        assert.deepEqual(
          memories.map(({ text, category, createdAt, provenance }) => ({ text, category, createdAt, provenance })),
          [0, 1, 2].map((index) => ({
            text: `${turn(index).speaker}: Sentence number ${index}.`,
            category: "note",
            createdAt: turn(index).at,
            provenance: {
              sourceId: "conversation:2026-03-01",
              kind: "conversation",
              position: index,
              speaker: turn(index).speaker,
              createdAt: turn(index).at,
            },
          })),
        );
      },
    },
    {
      name: "turns that the history holds, the question itself and turns that know nothing are no knowledge",
      run: async ({ loci }) => {
        const said = (at: number, speaker: string, content: string): ConversationTurn => ({
          id: `${at}`,
          speaker,
          content,
          at,
        });
        const asked = said(1, "user", "When is the harbour festival?");
        const running = [said(11, "user", "The harbour festival needs  a band."), said(12, "assistant", "Which band?")];
        await loci.memories.rememberConversation({
          session: "old",
          scope,
          turns: [asked, said(2, "assistant", "I do not know."), said(3, "user", "The harbour festival is in August.")],
        });
        await loci.memories.rememberConversation({ session: "running", scope, turns: running });
        const { sections, receipt } = await loci.assemble({
          messages: running.map(({ speaker, content }) => ({ role: speaker as "user" | "assistant", content })),
          query: asked.content,
          recall: { scopes: [scope] },
          explain: true,
        });
        const knowledge = sections.find(({ name }) => name === "knowledge")?.content ?? "";
        assert.match(knowledge, /in August/);
        assert.doesNotMatch(knowledge, /When is|do not know|needs/);
        const reasons = receipt.droppedCandidates.map(({ reason }) => reason);
        assert.ok(reasons.includes("IN_HISTORY"), reasons.join());
        const { hits, dropped } = await loci.recall({ query: asked.content, scopes: [scope], explain: true });
        const texts = hits.map(({ text }) => text);
        assert.ok(texts.includes("user: The harbour festival needs  a band."), texts.join("\n"));
        assert.ok(dropped.some(({ reason }) => reason === "REPEATS_QUERY"));
      },
    },
    {
      name: "a turn is known by its speaker when the question names one",
      run: async ({ loci }) => {
        const turns = ["Alice", "Bob"].map((speaker, index) => {
          return {
            id: `${index}`,
            speaker,
            content: `The trip to Oslo was ${index === 0 ? "long" : "short"}.`,
            at: index,
          };
        });
        await loci.memories.rememberConversation({ session: "s", scope, turns });
        const { hits } = await loci.recall({ query: "How was Bob's trip to Oslo?", scopes: [scope] });
        assert.deepEqual(
          hits.map(({ memory, parts }) => [memory.provenance?.speaker, parts.speaker]),
          [
            ["Bob", 1.2],
            ["Alice", undefined],
          ],
        );
      },
    },
    {
      name: "rememberConversation stores no turn twice and goes on counting",
      run: async ({ loci }) => {
        const first = await loci.memories.rememberConversation(conversation(0, 3));
        const second = await loci.memories.rememberConversation(conversation(1, 5));
        assert.deepEqual(second.slice(0, 2), first.slice(1));
        assert.deepEqual(
          second.map(({ provenance }) => provenance?.position),
          [1, 2, 3, 4],
        );
        assert.deepEqual(await loci.memories.rememberConversation(conversation(1, 5)), second);
        assert.equal((await loci.memories.list({ scopes: [scope] })).memories.length, 5);
      },
    },
    {
      name: "rememberConversation called at once by many gives every turn one place",
      run: async ({ loci }) => {
        const calls = Array.from({ length: 6 }, (_, index) =>
          loci.memories.rememberConversation(conversation(index, index + 4)),
        );
        await Promise.all(calls);
        const { memories } = await loci.memories.list({ scopes: [scope] });
        const positions = memories.map(({ provenance }) => provenance?.position ?? -1);
        assert.deepEqual(
          positions.toSorted((left, right) => left - right),
          Array.from({ length: 9 }, (_, index) => index),
        );
      },
    },
    {
      name: "rememberConversation without a session takes equal turns for the same conversation",
      run: async ({ loci }) => {
        const { session: _, ...unnamed } = conversation(0, 2);
        const first = await loci.memories.rememberConversation(unnamed);
        assert.deepEqual(await loci.memories.rememberConversation(unnamed), first);
        const named = await loci.memories.rememberConversation(conversation(0, 2));
        assert.notEqual(named[0]?.id, first[0]?.id);
      },
    },
    {
      name: "a forgotten turn does not come back with a retry",
      run: async ({ loci }) => {
        const [first] = await loci.memories.rememberConversation(conversation(0, 2));
        assert.ok(first !== undefined);
        await loci.memories.forget(first.id);
        await loci.memories.rememberConversation(conversation(0, 2));
        assert.equal((await loci.memories.list({ scopes: [scope] })).memories.length, 1);
      },
    },
    {
      name: "rememberConversation refuses bad input, naming the turn",
      run: async ({ loci }) => {
        const { memories } = loci;
        const turns = [turn(0), turn(1)] as const;
        await refuses(memories.rememberConversation({ scope, turns: [] }), "INVALID_REQUEST", "turns");
        const twice = { scope, turns: [turns[0], turns[0]] } as const;
        await refuses(memories.rememberConversation(twice), "INVALID_REQUEST", "turns[1].id");
        const empty = { scope, turns: [turns[0], { ...turns[1], content: "" }] } as const;
        await refuses(memories.rememberConversation(empty), "INVALID_TEXT", "turns[1].content");
        const noTime = { scope, turns: [{ ...turns[0], at: Number.NaN }] } as const;
        await refuses(memories.rememberConversation(noTime), "INVALID_INSTANT", "turns[0].at");
        const long = { scope, session: "s".repeat(190), turns } as const;
        await refuses(memories.rememberConversation(long), "INVALID_IDENTIFIER", "session");
        await refuses(
          memories.rememberConversation({ turns } as unknown as ConversationInput),
          "INVALID_SCOPE",
          "scope",
        );
      },
    },
  ],
};
