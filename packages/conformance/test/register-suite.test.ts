import { expect, test } from "vitest";
import { type CaseFile, type ConformanceCase, recordCalls, registerSuite, type Suite } from "../src/index.ts";

type Method = "put" | "get";

/** Something that fulfils a contract of two methods. */
class Shelf {
  readonly drawer: { open: () => Promise<string> } = { open: async () => "open" };
  readonly #things = new Map<string, number>();

  async put(name: string, value: number): Promise<void> {
    this.#things.set(name, value);
  }

  async get(name: string): Promise<number | undefined> {
    return this.#things.get(name);
  }
}

const put: ConformanceCase<Method, Shelf> = {
  method: "put",
  name: "keeps things",
  run: async (shelf) => {
    await shelf.put("a", 1);
    expect(await shelf.get("a")).toBe(1);
  },
};
const get: ConformanceCase<Method, Shelf> = {
  method: "get",
  name: "finds nothing",
  run: async (shelf) => expect(await shelf.get("b")).toBeUndefined(),
};
const walk: ConformanceCase<Method, Shelf> = { name: "put and get", run: put.run };
const wrong: ConformanceCase<Method, Shelf> = {
  method: "get",
  name: "is not so",
  run: async (shelf) => expect(await shelf.get("a")).toBe(1),
};
const both: readonly Method[] = ["put", "get"];

/** Runs a suite, and gives what each of its tests said: nothing when it passed. */
async function outcomes(suite: Partial<Suite<Method, Shelf>>): Promise<Readonly<Record<string, string>>> {
  const tests: (readonly [string, () => Promise<void>])[] = [];
  registerSuite(
    { describe: (_, body) => body(), test: (name, body) => void tests.push([name, body]) },
    {
      name: "shelf",
      methods: { put: true, get: true },
      files: [],
      timeoutMilliseconds: 1_000,
      runCase: async (run) => {
        const called = new Set<string>();
        await run(recordCalls(new Shelf(), called));
        return called;
      },
      ...suite,
    },
  );
  const said: Record<string, string> = {};
  for (const [name, run] of tests)
    said[name] = await run().then(
      () => "",
      (error: Error) => error.message,
    );
  return said;
}

const complete = (cases: CaseFile<Method, Shelf>["cases"], covers = both): CaseFile<Method, Shelf> => ({
  covers,
  cases,
});

test("a suite that is complete passes", async () => {
  expect(await outcomes({ files: [complete([put], ["put"]), complete([get], ["get"])] })).toEqual({
    "put: keeps things": "",
    "get: finds nothing": "",
    "the suite is complete": "",
  });
  expect(await outcomes({ files: [complete([walk])] })).toEqual({ "put and get": "", "the suite is complete": "" });
});

test.each([
  ["a method without a file", { files: [complete([put], ["put"])] }, "methods that no file covers: get"],
  ["a file that covers less than it says", { files: [complete([put])] }, "says it covers, and does not: get"],
  [
    "a file of walks that covers less than it says",
    { files: [complete([{ ...get, name: "a walk", method: undefined as never }])] },
    "says it covers, and does not: put",
  ],
  ["a file that covers more than it says", { files: [complete([put, get], ["put"])] }, "does not say so: get"],
  ["a name used twice", { files: [complete([put, put, get])] }, "names used twice: put: keeps things"],
  [
    "a known failure that is no case",
    { files: [complete([put, get])], knownFailures: { "get: flies": "no wings" } },
    "known failures that are no case: get: flies",
  ],
])("%s is found", async (_, suite, said) => {
  expect((await outcomes(suite))["the suite is complete"]).toContain(said);
});

test("a case that never calls its method fails", async () => {
  const files = [complete([{ ...put, method: "get", run: (shelf) => shelf.put("a", 1) }, put])];
  expect((await outcomes({ files }))["get: keeps things"]).toBe("The case is about get, but never calls it.");
});

test("what is known to fail is run, and must fail", async () => {
  const knownFailures = { "get: is not so": "things are lost" };
  const said = await outcomes({ files: [complete([put, wrong])], knownFailures });
  expect(said["get: is not so (known to fail: things are lost)"]).toBe("");
  const passing = await outcomes({ files: [complete([put, { ...wrong, run: get.run }])], knownFailures });
  expect(passing["get: is not so (known to fail: things are lost)"]).toContain("take it off the list");
});

test("calls of parts, and of what a method gives, are recorded by their path", async () => {
  const called = new Set<string>();
  const shelf = {
    drawer: { open: async () => "open", lock: "brass" },
    lend: async () => ({ giveBack: async () => true }),
    refuse: async () => undefined,
  };
  const recorded = recordCalls(shelf, called, {
    isPart: (path) => path === "drawer",
    gives: { lend: "loan", refuse: "none" },
  });
  expect([await recorded.drawer.open(), recorded.drawer.lock]).toEqual(["open", "brass"]);
  expect(await (await recorded.lend()).giveBack()).toBe(true);
  expect(await recorded.refuse()).toBeUndefined();
  expect([...called]).toEqual(["drawer.open", "lend", "loan.giveBack", "refuse"]);
});
