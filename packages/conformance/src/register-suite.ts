import type { CaseFile, ConformanceCase, KnownFailures } from "./case-file.ts";
import { problemsOf } from "./suite-problems.ts";
import type { TestApi } from "./test-api.ts";

/** What everything that fulfils a contract must pass. */
export interface Suite<Method extends string, Context> {
  /** Of what is tested, for the report. */
  readonly name: string;
  /** Every method of the contract that what is tested has to have. Lists of them are of a type that leaves none out. */
  readonly methods: Readonly<Partial<Record<Method, true>>>;
  readonly files: readonly CaseFile<Method, Context>[];
  /** Default: none. */
  readonly knownFailures?: KnownFailures | undefined;
  /**
   * Runs a case on something of its own, and answers which methods of the contract it has called.
   *
   * @param index of the case among all
   */
  readonly runCase: (run: (context: Context) => Promise<void>, index: number) => Promise<ReadonlySet<string>>;
  /** For one case. */
  readonly timeoutMilliseconds: number;
}

/**
 * Registers a test for each case, and a last one of the suite itself: that all methods are covered, that each file covers what it
 * says, that no name is used twice, and that what is known to fail is a case. A case fails when it does not call its method.
 */
export function registerSuite<Method extends string, Context>(testApi: TestApi, suite: Suite<Method, Context>): void {
  const { files, knownFailures = {}, timeoutMilliseconds } = suite;
  /** What the cases of each file have called, of those that were run. */
  const called = new Map<CaseFile<Method, Context>, Set<string>[]>(files.map((file) => [file, []]));
  const runCase = async (
    file: CaseFile<Method, Context>,
    { method, run }: ConformanceCase<Method, Context>,
    index: number,
  ): Promise<void> => {
    const own = new Set(await suite.runCase(run, index));
    called.get(file)?.push(own);
    if (method !== undefined && !own.has(method)) throw new Error(`The case is about ${method}, but never calls it.`);
  };
  testApi.describe(suite.name, () => {
    const cases = files.flatMap((file) => file.cases.map((one) => ({ file, one })));
    for (const [index, { file, one }] of cases.entries()) {
      const name = nameOf(one);
      const reason = knownFailures[name];
      const run = (): Promise<void> => runCase(file, one, index);
      if (reason === undefined) testApi.test(name, run, timeoutMilliseconds);
      else testApi.test(`${name} (known to fail: ${reason})`, () => mustFail(name, run()), timeoutMilliseconds);
    }
    testApi.test("the suite is complete", async () => {
      const problems = problemsOf({ ...suite, knownFailures, names: cases.map(({ one }) => nameOf(one)), called });
      if (problems.length > 0) throw new Error(problems.join("\n"));
    });
  });
}

/** What a case is registered, and listed among known failures, under. */
function nameOf({ method, name }: ConformanceCase<string, never>): string {
  return method === undefined ? name : `${method}: ${name}`;
}

async function mustFail(name: string, running: Promise<void>): Promise<void> {
  const hasPassed = await running.then(
    () => true,
    () => false,
  );
  if (hasPassed) throw new Error(`"${name}" passes: take it off the list of known failures.`);
}
