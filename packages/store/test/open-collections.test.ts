import { type EmbeddingSpace, filterOperators, LociError } from "@loci/domain";
import { collectionId, type OpenCollection, OpenCollections, type VectorStoreCapabilities } from "@loci/store";
import { expect, test } from "vitest";

const capabilities: VectorStoreCapabilities = {
  similarity: "exact",
  filterOperators,
  visibility: "immediate",
  durable: false,
  maxDimensions: 8,
  maxLimit: 100,
};
const main = collectionId("main");
const space: EmbeddingSpace = { provider: "testing", model: "axes", dimensions: 3, version: "1" };

/** Nothing but what a store does with a collection. */
class EndedOrNot implements Pick<OpenCollection, "space" | "end"> {
  readonly space: EmbeddingSpace;
  reason: LociError | undefined;

  constructor(own: EmbeddingSpace = space) {
    this.space = own;
  }

  end(reason: LociError): void {
    this.reason = reason;
  }
}

type Made = EndedOrNot & OpenCollection;

function made(own?: EmbeddingSpace): Made {
  return new EndedOrNot(own) as Made;
}

async function reasonOf(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.then(
    () => "resolved",
    (reason: unknown) => reason,
  );
  return LociError.is(error) ? error.reason : String(error);
}

test("makes a collection once, however often it is asked for at once", async () => {
  const collections = new OpenCollections<Made>(capabilities);
  let count = 0;
  const open = (): Promise<Made> =>
    collections.open(main, space, undefined, async (known) => {
      await Promise.resolve();
      if (known === undefined) count++;
      return known ?? made();
    });
  const [first, second] = await Promise.all([open(), open()]);
  expect(second).toBe(first);
  expect(count).toBe(1);
});

test("ends a collection that another one takes the place of, or that is dropped, before its rows go", async () => {
  const collections = new OpenCollections<Made>(capabilities);
  const first = await collections.open(main, space, undefined, made.bind(undefined, space));
  const second = await collections.open(main, space, undefined, made.bind(undefined, space));
  expect([first.reason?.reason, second.reason]).toEqual(["COLLECTION_NOT_FOUND", undefined]);
  await collections.drop(main, undefined, (known) => {
    expect(known).toBe(second);
    expect(second.reason?.reason).toBe("COLLECTION_NOT_FOUND");
  });
  await collections.drop(main, undefined, (known) => expect(known).toBeUndefined());
});

test("keeps no collection of another space", async () => {
  const collections = new OpenCollections<Made>(capabilities);
  const other = { ...space, version: "2" };
  expect(await reasonOf(collections.open(main, space, undefined, () => made(other)))).toBe("EMBEDDING_SPACE_MISMATCH");
  await collections.open(main, space, undefined, (known) => {
    expect(known).toBeUndefined();
    return made();
  });
});

test("a failure leaves the next turn to the next", async () => {
  const collections = new OpenCollections<Made>(capabilities);
  const failing = collections.open(main, space, undefined, () => Promise.reject(new Error("no disk")));
  const next = collections.open(main, space, undefined, () => made());
  expect(await reasonOf(failing)).toBe("Error: no disk");
  expect((await next).space).toBe(space);
});

test("closing ends what is open, tells what is being opened, and lets go of both", async () => {
  const collections = new OpenCollections<Made>(capabilities);
  const open = await collections.open(main, space, undefined, () => made());
  const late = made();
  const opening = collections.open(collectionId("late"), space, undefined, async (_, call) => {
    await new Promise((resolve) => call.signal.addEventListener("abort", resolve));
    return late;
  });
  const waiting = collections.open(collectionId("waiting"), space, undefined, () => expect.fail("opened"));
  await Promise.resolve();
  const released: Made[] = [];
  const closing = collections.close((collection) => void released.push(collection));
  expect(open.reason?.reason).toBe("CLOSED");
  expect(await reasonOf(opening)).toBe("CLOSED");
  expect(await reasonOf(waiting)).toBe("CLOSED");
  await closing;
  expect(released).toEqual([open, late]);
  expect(late.reason?.reason).toBe("CLOSED");
  await collections.close(() => expect.fail("released twice"));
  const controller = new AbortController();
  controller.abort();
  const again = collections.open(main, space, { signal: controller.signal }, () => made());
  expect(await reasonOf(again)).toBe("CLOSED");
});

test("a call that is over opens and drops nothing", async () => {
  const collections = new OpenCollections<Made>(capabilities);
  const signal = AbortSignal.abort();
  expect(await reasonOf(collections.open(main, space, { signal }, () => expect.fail("opened")))).toBe("CANCELLED");
  expect(await reasonOf(collections.drop(main, { deadline: 1 }, () => expect.fail("dropped")))).toBe(
    "DEADLINE_EXCEEDED",
  );
});
