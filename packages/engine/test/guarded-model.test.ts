import { LociError, type ModelTokens } from "@loci/domain";
import type { GenerateRequest, LanguageModel } from "@loci/language-model";
import { describe, expect, test } from "vitest";
import { GuardedModel } from "../src/usage/guarded-model.ts";
import { ModelTokenRate } from "../src/usage/model-token-rate.ts";
import { everything } from "./support/test-engine.ts";

const words = { system: "Sum up.", prompt: "x".repeat(993), maxOutputTokens: 500 };

function guarded(generate: LanguageModel["generate"]): { model: GuardedModel; recorded: ModelTokens[] } {
  const recorded: ModelTokens[] = [];
  const usage = {
    checkCaps: () => Promise.resolve(),
    recordOwn: (_: unknown, { model: _model, ...tokens }: ModelTokens & { readonly model: string }) => {
      recorded.push(tokens);
      return Promise.resolve();
    },
  };
  const rate = new ModelTokenRate({ tokensPerMinute: 1_500, clock: () => 0 });
  return { model: new GuardedModel({ model: { model: "small", generate }, usage, rate }), recorded };
}

/** Answers nobody, until it is told to stop. */
function hangs({ signal }: GenerateRequest): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  signal?.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  return promise;
}

test("a call that is given up counts with all that it may have used, so that nobody gets around the rate by going away", async () => {
  const { model, recorded } = guarded(hangs);
  const end = new AbortController();
  const given = model.generate(everything, { ...words, signal: end.signal });
  await Promise.resolve();
  end.abort(new LociError("CANCELLED", { message: "The caller has gone." }));
  await expect(given).rejects.toMatchObject({ reason: "CANCELLED" });
  expect(recorded).toMatchObject([{ inputTokens: 500, outputTokens: 500 }]);
  await expect(model.generate(everything, words)).rejects.toMatchObject({ reason: "TOO_MANY_REQUESTS" });
});

test("a call that fails by itself has used nothing, and one that was given up before it was made neither", async () => {
  const down = new LociError("LANGUAGE_MODEL_UNAVAILABLE", { message: "It is down." });
  const { model, recorded } = guarded(() => Promise.reject(down));
  for (let call = 0; call < 5; call++) await expect(model.generate(everything, words)).rejects.toBe(down);
  const gone = AbortSignal.abort(new LociError("CANCELLED", { message: "The caller has gone." }));
  await expect(model.generate(everything, { ...words, signal: gone })).rejects.toMatchObject({ reason: "CANCELLED" });
  expect(recorded).toEqual([]);
});

test("a model that does not listen is left behind, and what it may have used counts at once", async () => {
  const { model, recorded } = guarded(() => new Promise(() => {}));
  const end = new AbortController();
  const used: ModelTokens[] = [];
  const given = model.generate(everything, { ...words, signal: end.signal }, (tokens) => used.push(tokens));
  await Promise.resolve();
  end.abort(new LociError("CANCELLED", { message: "The caller has gone." }));
  await expect(given).rejects.toMatchObject({ reason: "CANCELLED" });
  expect(used).toEqual(recorded);
  expect(recorded).toMatchObject([{ inputTokens: 500, outputTokens: 500 }]);
});

test("requests that a server took in vain count, each with all that it may have used", async () => {
  const broken = new LociError("LANGUAGE_MODEL_UNAVAILABLE", { message: "Cut.", details: { requestsTaken: "3" } });
  const { model, recorded } = guarded(() => Promise.reject(broken));
  await expect(model.generate(everything, words)).rejects.toBe(broken);
  expect(recorded).toMatchObject([{ inputTokens: 1_500, outputTokens: 1_500 }]);
});

describe("what a ledger that fails takes nothing from", () => {
  const usage = { checkCaps: () => Promise.resolve(), recordOwn: () => Promise.reject(new Error("The ledger fails.")) };
  const told: string[] = [];
  const reportProblem = (_error: unknown, activity: string): void => void told.push(activity);
  const modelThat = (generate: LanguageModel["generate"]): GuardedModel =>
    new GuardedModel({ model: { model: "small", generate }, usage, reportProblem });

  test("is an answer", async () => {
    const reply = await modelThat(() => Promise.resolve({ text: "Yes.", isCutOff: false })).generate(everything, words);
    expect(reply.text).toBe("Yes.");
    expect(told).toEqual(["recording what a language model used"]);
  });

  test("is why a model gave none", async () => {
    const cut = new LociError("LANGUAGE_MODEL_UNAVAILABLE", { message: "Cut off.", details: { requestsTaken: "1" } });
    await expect(modelThat(() => Promise.reject(cut)).generate(everything, words)).rejects.toBe(cut);
  });
});
