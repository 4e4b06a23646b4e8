/** The part of a test runner that the suites need. vitest, `node:test` and jest all have it. */
export interface TestApi {
  describe(name: string, body: () => void): void;
  test(name: string, body: () => Promise<void>, timeoutMilliseconds?: number): void;
}

/** Cases that fail, by name, each with the reason. They are still run, and must fail. */
export type KnownFailures = Readonly<Record<string, string>>;

/** One case. `method` is the method of the contract it is about; the case must call it. */
export interface ConformanceCase<Method extends string, Context> {
  readonly method: Method;
  readonly name: string;
  readonly run: (context: Context) => Promise<void>;
}

/** Runs a case against a fresh fixture and answers which methods of the contract it called. */
export type CaseRunner<Method extends string, Context> = (
  run: (context: Context) => Promise<void>,
) => Promise<ReadonlySet<Method>>;

const caseTimeoutMilliseconds = process.env["LOCI_STORE_HISTORIES"] === undefined ? 120_000 : 7_200_000;

/**
 * Registers all cases, and the tests of the suite itself: that every method of the contract has a case, that no name is
 * used twice, and that the known failures name cases which exist. A case fails when it does not call its method.
 */
export function registerCases<Method extends string, Context>(
  testApi: TestApi,
  suite: {
    readonly name: string;
    /** Every method of the contract; the type makes sure that none is left out. */
    readonly methods: Readonly<Record<Method, true>>;
    readonly cases: readonly ConformanceCase<Method, Context>[];
    readonly knownFailures: KnownFailures;
    readonly runCase: CaseRunner<Method, Context>;
  },
): void {
  const { methods, cases, knownFailures } = suite;
  const run = async ({ method, run }: ConformanceCase<Method, Context>): Promise<void> => {
    const called = await suite.runCase(run);
    if (!called.has(method)) throw new Error(`The case is about ${method}, but never calls it.`);
  };

  testApi.describe(suite.name, () => {
    for (const item of cases) {
      const name = caseName(item);
      const reason = knownFailures[name];
      if (reason === undefined) testApi.test(name, () => run(item), caseTimeoutMilliseconds);
      else testApi.test(`${name} (known to fail: ${reason})`, () => mustFail(name, run(item)), caseTimeoutMilliseconds);
    }

    testApi.test("the suite is complete", async () => {
      const names = cases.map(caseName);
      complainAbout(
        "methods without a case",
        Object.keys(methods).filter((name) => !cases.some((item) => item.method === name)),
      );
      complainAbout(
        "names used twice",
        names.filter((name, index) => names.indexOf(name) !== index),
      );
      complainAbout(
        "known failures that are no case",
        Object.keys(knownFailures).filter((name) => !names.includes(name)),
      );
    });
  });
}

/** The name a case is registered, and listed among known failures, under. */
function caseName(item: ConformanceCase<string, never>): string {
  return `${item.method}: ${item.name}`;
}

async function mustFail(name: string, running: Promise<void>): Promise<void> {
  const hasPassed = await running.then(
    () => true,
    () => false,
  );
  if (hasPassed) throw new Error(`"${name}" passes: take it off the list of known failures.`);
}

function complainAbout(problem: string, names: readonly string[]): void {
  if (names.length > 0) throw new Error(`${problem}: ${names.join("; ")}`);
}

/** Wraps an object so that the names of the methods called on it are noted. */
export function recordCalls<Target extends object>(target: Target, called: Set<string>): Target {
  return new Proxy(target, {
    get(object, property) {
      const value: unknown = Reflect.get(object, property, object);
      if (typeof value !== "function") return value;
      return (...values: readonly unknown[]): unknown => {
        called.add(String(property));
        return Reflect.apply(value, object, values);
      };
    },
  });
}
