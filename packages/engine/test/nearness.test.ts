import { LociError, tenantId } from "@loci/domain";
import { describe, expect, it } from "vitest";
import { ThreadTurns } from "../src/calls/thread-turns.ts";
import { nearnessOf } from "../src/recall/nearness.ts";

const tenant = tenantId("acme");
const unit = (...numbers: readonly number[]): Float32Array => Float32Array.from(numbers);

describe("nearness", () => {
  it("is the best cosine of a text's vectors with each query vector", async () => {
    const query = { tenant, queryVectors: [unit(1, 0), unit(0, 1)], signal: new AbortController().signal };
    const texts = [[unit(0.6, 0.8), unit(1, 0)], [], [unit(0, -1)]];
    const [first, none, last] = await nearnessOf(new ThreadTurns(), query, texts);
    expect(first?.map((cosine) => Number(cosine.toFixed(4)))).toEqual([1, 0.8]);
    expect(none).toBeUndefined();
    expect(last).toEqual([0, -1]);
  });

  it("is that of each text also where there are too many to be compared at once", async () => {
    const dimensions = 2_000;
    const basis = (place: number): Float32Array =>
      Float32Array.from({ length: dimensions }, (_, at) => (at === place ? 1 : 0));
    const query = { tenant, queryVectors: [basis(3), basis(590)], signal: new AbortController().signal };
    const nearness = await nearnessOf(
      new ThreadTurns(),
      query,
      Array.from({ length: 600 }, (_, place) => [basis(place)]),
    );
    const nearest = nearness.flatMap((cosines, place) => (cosines?.some((cosine) => cosine === 1) ? [place] : []));
    expect(nearest).toEqual([3, 590]);
  });

  it("lets others have the thread while long texts are compared with a long question", async () => {
    const { query, texts } = longComparison();
    const thread = new ThreadTurns();
    let turns = 0;
    let isGoingOn = true;
    const count = (): void => {
      turns++;
      if (isGoingOn) setImmediate(count);
    };
    setImmediate(count);
    await nearnessOf(thread, { ...query, signal: new AbortController().signal }, texts);
    isGoingOn = false;
    expect(turns).toBeGreaterThan(3);
  });

  it("stops when the call is given up", async () => {
    const { query, texts } = longComparison();
    const controller = new AbortController();
    const compared = nearnessOf(new ThreadTurns(), { ...query, signal: controller.signal }, texts);
    controller.abort();
    await expect(compared).rejects.toSatisfy((error) => LociError.is(error) && error.reason === "CANCELLED");
  });
});

/** Some hundred million products. */
function longComparison() {
  const vector = new Float32Array(256).fill(1 / 16);
  const passages = Array.from({ length: 100 }, () => vector);
  const queryVectors = Array.from({ length: 64 }, () => vector);
  return { query: { tenant, queryVectors }, texts: Array.from({ length: 60 }, () => passages) };
}
