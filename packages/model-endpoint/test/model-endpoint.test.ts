import { LociError } from "@loci/domain";
import { expect, test } from "vitest";
import { fieldOf, ModelEndpoint, type ModelEndpointOptions } from "../src/index.ts";
import { answersWith, failsWith, type FakeModelServer, hangs, startFakeModelServer } from "../src/testing/index.ts";

function endpointOf({ baseUrl }: FakeModelServer, options: Partial<ModelEndpointOptions> = {}): ModelEndpoint {
  return new ModelEndpoint(
    { baseUrl, model: "small", firstRetryDelay: 1, ...options },
    { name: "atlas", path: "where", unavailable: "LANGUAGE_MODEL_UNAVAILABLE", refusedAdvice: "Check the map." },
  );
}

const readCity = (body: string): { readonly city: unknown } | string => {
  const city = fieldOf(JSON.parse(body), "city");
  return city === undefined ? "Its answer names no city." : { city };
};

test("an answer is what its reader makes of it", async () => {
  await using server = await startFakeModelServer(answersWith({ city: "Bergen" }));
  await expect(endpointOf(server).post({ of: "Grieg" }, readCity, undefined)).resolves.toEqual({ city: "Bergen" });
  expect(server.requests[0]).toMatchObject({ path: "/v1/where", body: { of: "Grieg" } });
});

test("an answer its reader cannot use is not asked for again", async () => {
  await using server = await startFakeModelServer(answersWith({ town: "Bergen" }));
  const asked = endpointOf(server).post({}, readCity, undefined);
  await expect(asked).rejects.toThrow("The atlas gave no usable answer. Its answer names no city.");
  expect(server.requests).toHaveLength(1);
});

test("a refusal gives the advice of its purpose", async () => {
  await using server = await startFakeModelServer(failsWith(404));
  const asked = endpointOf(server).post({}, readCity, undefined);
  await expect(asked).rejects.toMatchObject({ reason: "INVALID_CONFIGURATION", advice: "Check the map." });
});

test("a redirect is not followed, as it would take the key along", async () => {
  await using elsewhere = await startFakeModelServer(answersWith({ city: "Bergen" }));
  await using server = await startFakeModelServer(failsWith(307, { location: `${elsewhere.baseUrl}/where` }));
  const asked = endpointOf(server, { apiKey: "secret", maxRetries: 0 }).post({}, readCity, undefined);
  await expect(asked).rejects.toMatchObject({ reason: "LANGUAGE_MODEL_UNAVAILABLE" });
  expect(elsewhere.requests).toHaveLength(0);
});

test("an answer that is too large is not read", async () => {
  await using server = await startFakeModelServer(answersWith({ city: "x".repeat(2_000) }));
  const asked = endpointOf(server, { maxReplyBytes: 1_000 }).post({}, readCity, undefined);
  await expect(asked).rejects.toThrow("larger than 1000 bytes");
});

test("what the caller aborted with is what the call rejects with", async () => {
  await using server = await startFakeModelServer(hangs);
  const reason = new LociError("DEADLINE_EXCEEDED", { message: "Too late." });
  const given = new AbortController();
  const asked = endpointOf(server).post({}, readCity, given.signal);
  setImmediate(() => given.abort(reason));
  await expect(asked).rejects.toBe(reason);
});
