import { LociError } from "@loci/domain";
import { expect, test } from "vitest";
import { fieldOf, ModelEndpoint, type ModelEndpointOptions } from "../src/index.ts";
import {
  answersWith,
  failsWith,
  type FakeModelServer,
  hangs,
  type ModelAnswer,
  startFakeModelServer,
} from "../src/testing/index.ts";

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

test("a server is waited for until the time of its own clock that it names", async () => {
  // Its clock is a year behind.
  const date = new Date(Date.now() - 31_536_000_000);
  const until = new Date(date.getTime() + 1_000);
  const headers = { date: date.toUTCString(), "retry-after": until.toUTCString() };
  await using server = await startFakeModelServer(failsWith(429, headers), answersWith({ city: "Bergen" }));
  const before = performance.now();
  await expect(endpointOf(server).post({}, readCity, undefined)).resolves.toEqual({ city: "Bergen" });
  expect(performance.now() - before).toBeGreaterThan(980);
});

test("a server that asks to wait for too long is not waited for, and not asked before its time", async () => {
  await using server = await startFakeModelServer(failsWith(429, { "retry-after": "60" }));
  const before = performance.now();
  await expect(endpointOf(server).post({}, readCity, undefined)).rejects.toMatchObject({
    message: expect.stringContaining("status 429") as string,
    details: { retryAfterMilliseconds: "60000" },
  });
  expect(performance.now() - before).toBeLessThan(5_000);
  expect(server.requests).toHaveLength(1);
});

test("requests that were taken in vain are counted, and those that were refused are not", async () => {
  const breaksOff: ModelAnswer = (response) => {
    response.writeHead(200, { "content-length": "100" });
    response.write("{");
    setTimeout(() => response.destroy(), 5);
  };
  const detailsAfter = async (...answers: readonly ModelAnswer[]): Promise<unknown> => {
    await using server = await startFakeModelServer(...answers);
    const endpoint = endpointOf(server, { attemptTimeLimit: 500, maxReplyBytes: 1_000 });
    const error: unknown = await endpoint.post({}, readCity, undefined).catch((reason: unknown) => reason);
    return LociError.is(error) && error.details;
  };
  expect(await detailsAfter(failsWith(503))).toEqual({});
  expect(await detailsAfter(failsWith(503), breaksOff, failsWith(503))).toEqual({ requestsTaken: "1" });
  expect(await detailsAfter(breaksOff, hangs, breaksOff)).toEqual({ requestsTaken: "3" });
  expect(await detailsAfter(answersWith({ town: "Bergen" }))).toEqual({ requestsTaken: "1" });
  expect(await detailsAfter(answersWith({ city: "x".repeat(2_000) }))).toEqual({ requestsTaken: "1" });
});

test("what the caller aborted with is what the call rejects with", async () => {
  await using server = await startFakeModelServer(hangs);
  const reason = new LociError("DEADLINE_EXCEEDED", { message: "Too late." });
  const given = new AbortController();
  const asked = endpointOf(server).post({}, readCity, given.signal);
  setImmediate(() => given.abort(reason));
  await expect(asked).rejects.toBe(reason);
});
