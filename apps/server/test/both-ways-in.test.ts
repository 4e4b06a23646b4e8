import { connectLoci } from "@loci/client";
import { deterministicEmbedder } from "@loci/embedding/testing";
import { type Loci, type OpenedEngine, openEngine } from "@loci/loci";
import { expect, test } from "vitest";
import { localPrincipal } from "../src/security/authenticator.ts";
import { startTestServer } from "./test-server.ts";

const scope = "project:loci";

test("in process and over gRPC a question has one answer, byte for byte", async () => {
  let engine: OpenedEngine | undefined;
  await using server = await startTestServer({
    openEngine: async (options) => (engine = await openEngine({ ...options, embedder: deterministicEmbedder() })),
  });
  await using remote = connectLoci({ address: server.address });
  await using direct = engine?.for(localPrincipal);
  const ways = [remote, direct].filter((way): way is Loci => way !== undefined);
  expect(ways).toHaveLength(2);
  for (const [index, way] of ways.entries()) {
    await way.memories.remember({ text: `The vector store is <not> our database & never was (${index}).`, scope });
    await way.memories.remember({
      text: `Jonas dropped the lock, ${index} times.`,
      scope,
      category: "decision",
      tags: ["lock"],
      metadata: { sure: true, share: 0.1 },
    });
  }
  await remote.settled();

  const evaluationTime = Date.now();
  const query = "Who dropped the lock of the store?";
  const recalls = await Promise.all(
    ways.map((way) => way.recall({ query, scopes: [scope], evaluationTime, explain: true })),
  );
  const [first, second] = recalls.map((result) => JSON.stringify({ ...result, timings: {} }));
  expect(first).toContain("Jonas");
  expect(first).toBe(second);

  const contexts = await Promise.all(
    ways.map((way) =>
      way.assemble({
        model: "gpt-4o",
        system: "You help.",
        messages: [{ role: "user", content: "Hello." }],
        query,
        recall: { scopes: [scope] },
        evaluationTime,
        explain: true,
      }),
    ),
  );
  expect(contexts[0]?.text).toContain("Jonas");
  expect(contexts[0]?.text).toBe(contexts[1]?.text);
  expect({ ...contexts[0], timings: {} }).toEqual({ ...contexts[1], timings: {} });
});
