// The lowest version that is taken, and the newest one.
import { randomUUID } from "node:crypto";
import * as newest from "ai";
import * as lowest from "ai-lowest";
import { describe, expect, test } from "vitest";
import { lociMiddleware, lociTools } from "../src/index.ts";
import { openedLoci } from "./opened-loci.ts";
import { calls, RecordingModel } from "./recording-model.ts";

const at = openedLoci();

describe.each([
  ["7.0.0", lowest as unknown as typeof newest],
  ["newest", newest],
])("version %s", (_, { generateText, isStepCount, streamText, wrapLanguageModel }) => {
  test("recalls, calls tools and keeps what was said", async () => {
    const scope = `user:${randomUUID()}` as const;
    await at.loci.memories.remember({ text: "The flight to Oslo leaves at 9:40.", scope });
    const conversation = { scope, session: "talk" };
    // The first recall reads a model, and machines are shared.
    const middleware = lociMiddleware({ loci: at.loci, conversation, recallTimeoutMilliseconds: 60_000 });
    const recording = new RecordingModel([calls("recall", { query: "Oslo?" }), "At 9:40.", "You are welcome."]);
    const model = wrapLanguageModel({ model: recording, middleware });
    const { recall } = lociTools({ loci: at.loci, conversation });
    const prompt = "When does my flight to Oslo leave?";
    const { text, steps } = await generateText({ model, prompt, tools: { recall }, stopWhen: isStepCount(3) });
    expect([text, steps.length]).toEqual(["At 9:40.", 2]);
    expect(steps[1]?.providerMetadata?.["loci"]).toMatchObject({ memories: [expect.any(String)] });
    expect(await streamText({ model, prompt: "Thanks." }).text).toBe("You are welcome.");
    await middleware.settled();
    const { turns } = await at.loci.sessions.turns({ scope, id: "talk" });
    expect(turns.map(({ role, recalled }) => [role, recalled])).toEqual([
      ["user", false],
      ["assistant", false],
      ["tool", true],
      ["assistant", false],
      ["user", false],
      ["assistant", false],
    ]);
  });
});
