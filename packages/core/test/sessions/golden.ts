import { readFileSync } from "node:fs";

/** A golden case: what goes in, and what must come out. */
export interface GoldenCase<In, Out> {
  readonly name: string;
  readonly in: In;
  readonly out: Out;
}

/** The cases of a rule, by the name of its file. */
export function goldenCases<In, Out>(rule: string): readonly GoldenCase<In, Out>[] {
  const text = readFileSync(new URL(`../golden/${rule}.json`, import.meta.url), "utf8");
  return (JSON.parse(text) as { readonly cases: readonly GoldenCase<In, Out>[] }).cases;
}
