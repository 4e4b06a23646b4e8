import type { CaseFile, KnownFailures } from "./case-file.ts";

/** A suite as it stands when its cases were run. */
interface RunSuite<Method extends string, Context> {
  readonly methods: Readonly<Partial<Record<Method, true>>>;
  readonly files: readonly CaseFile<Method, Context>[];
  readonly knownFailures: KnownFailures;
  /** Of all cases. */
  readonly names: readonly string[];
  /** What each case of a file that came to its end has called. */
  readonly called: ReadonlyMap<CaseFile<Method, Context>, readonly ReadonlySet<string>[]>;
}

/** What is wrong with a suite, a line each. */
export function problemsOf<Method extends string, Context>(suite: RunSuite<Method, Context>): readonly string[] {
  const { methods, files, knownFailures, names, called } = suite;
  const covered = new Set<string>(files.flatMap(({ covers }) => covers));
  return [
    ...problem(
      "methods that no file covers",
      Object.keys(methods).filter((method) => !covered.has(method)),
    ),
    ...files.flatMap((file) => problemsOfFile(file, called.get(file) ?? [])),
    ...problem(
      "names used twice",
      names.filter((name, index) => names.indexOf(name) !== index),
    ),
    ...problem(
      "known failures that are no case",
      Object.keys(knownFailures).filter((name) => !names.includes(name)),
    ),
  ];
}

function problemsOfFile<Method extends string, Context>(
  { covers, cases }: CaseFile<Method, Context>,
  called: readonly ReadonlySet<string>[],
): readonly string[] {
  const about = new Set(cases.flatMap(({ method }) => method ?? []));
  const file = `the file that begins with "${cases[0]?.name ?? ""}"`;
  // What cases without a method go through is known once all of them were run.
  const isKnown = called.length === cases.length || about.size === cases.length;
  const gone = new Set([...about, ...called.flatMap((own) => (about.size === cases.length ? [] : [...own]))]);
  return [
    ...problem(
      `methods that ${file} says it covers, and does not`,
      isKnown ? covers.filter((method) => !gone.has(method)) : [],
    ),
    ...problem(
      `methods that ${file} has cases of, and does not say so`,
      [...about].filter((method) => !covers.includes(method)),
    ),
  ];
}

function problem(title: string, names: readonly string[]): readonly string[] {
  return names.length === 0 ? [] : [`${title}: ${names.join("; ")}`];
}
