import type { AppendAndCaptureRequest, CallOptions, CapturedTurns, TurnInput } from "@loci/domain";
import type { GeneratedText, LanguageModel } from "@loci/language-model";
import { expect, test } from "vitest";
import { TestEngine } from "./support/test-engine.ts";

const key = { scope: "user:alice", id: "s" } as const;
const turns: readonly TurnInput[] = [{ role: "user", content: "I live in Oslo.", at: Date.UTC(2026, 0, 1) }];

/** A model that answers when it is let to. */
class HeldModel implements LanguageModel {
  readonly model = "held";
  readonly asked = Promise.withResolvers<void>();
  readonly #answer = Promise.withResolvers<void>();

  release(): void {
    this.#answer.resolve();
  }

  async generate(): Promise<GeneratedText> {
    this.asked.resolve();
    await this.#answer.promise;
    const evidence = [{ turn: 1, quote: "I live in Oslo" }];
    const about = { category: "fact", text: "The user lives in Oslo.", slot: null, value: null, tags: [], dates: [] };
    const candidates = [{ reasoning: "said so", ...about, evidence }];
    const usage = { inputTokens: 10, cachedInputTokens: 0, outputTokens: 5 };
    return { text: JSON.stringify({ candidates }), isCutOff: false, usage };
  }
}

function ask(
  { loci }: TestEngine,
  more: Partial<AppendAndCaptureRequest> = {},
  options?: CallOptions,
): Promise<CapturedTurns> {
  return loci.sessions.appendAndCapture(key, { turns, ...more }, options);
}

test("when the wait is over, it says what there is, and a repetition tells the rest", async () => {
  const captureModel = new HeldModel();
  await using opened = await TestEngine.open({ captureModel });
  const { appended, captures, learned } = await ask(opened, { waitMilliseconds: 50 });
  expect(appended).toEqual({ firstTurn: 1, lastTurn: 1, replayed: false });
  expect(captures).toMatchObject([
    { state: expect.stringMatching(/^(queued|running)$/), turns: { first: 1, last: 1 } },
  ]);
  expect(learned).toEqual([]);
  captureModel.release();
  const again = await ask(opened);
  expect(again.captures).toMatchObject([{ id: captures[0]?.id, state: "succeeded" }]);
  expect(again.learned).toMatchObject([{ decision: "ADD", memory: { text: "The user lives in Oslo." } }]);
});

test("ended by its signal, its turns stay and their capture goes on", async () => {
  const captureModel = new HeldModel();
  await using opened = await TestEngine.open({ captureModel });
  const ended = new AbortController();
  const refusal = ask(opened, {}, { signal: ended.signal }).catch((error: unknown) => error);
  await captureModel.asked.promise;
  ended.abort();
  expect(await refusal).toMatchObject({ reason: "CANCELLED" });
  expect(await opened.loci.sessions.get(key)).toMatchObject({ lastTurn: 1 });
  captureModel.release();
  const { appended, learned } = await ask(opened);
  expect(appended.replayed).toBe(true);
  expect(learned).toHaveLength(1);
  expect((await opened.loci.captures.list({ session: key })).captures).toHaveLength(1);
});

test("many at once who tell one session the same and other things lose nothing and keep nothing twice", async () => {
  await using opened = await TestEngine.open();
  const words = ["Oslo", "Bergen", "Trondheim", "Molde"];
  const said = words.map((word) => [{ role: "user", content: `I have an office in ${word}.`, at: 1 }] as const);
  const { sessions, captures } = opened.loci;
  await Promise.all(said.map((one) => sessions.appendAndCapture(key, { turns: one, extractor: "rules" })));
  const kept = await sessions.turns(key);
  expect(kept.turns.map(({ content }) => content).toSorted()).toEqual(said.map(([{ content }]) => content).toSorted());
  const jobs = (await captures.list({ session: key })).captures;
  const captured = jobs.flatMap(({ turns: { first, last } }) =>
    Array.from({ length: last - first + 1 }, (_, index) => first + index),
  );
  expect(new Set(captured)).toEqual(new Set([1, 2, 3, 4]));
  // The same request, many times at once and after that.
  const again = (): Promise<CapturedTurns> =>
    sessions.appendAndCapture(key, { turns, extractor: "rules" }, { requestId: "again" });
  const told = await Promise.all([1, 2, 3].map(again));
  await sessions.appendAndCapture(key, { turns: said[0] ?? [], extractor: "rules" });
  told.push(await again());
  expect(told.map(({ appended }) => [appended.firstTurn, appended.lastTurn])).toEqual(told.map(() => [5, 5]));
  expect(await sessions.get(key)).toMatchObject({ lastTurn: 6 });
  const [one = said[0]] = said;
  const own = await Promise.all(
    [1, 2, 3].map(() => sessions.appendAndCapture({ scope: key.scope }, { turns: one ?? [] }, { requestId: "r" })),
  );
  expect(new Set(own.map(({ session }) => session.id)).size).toBe(1);
  expect(await sessions.get(own[0]?.session ?? key)).toMatchObject({ lastTurn: 1 });
});
