import type { WrittenPattern } from "./find-patterns.ts";

/** A regular expression that a run made of parts, and the file that did. */
export interface MadePattern extends WrittenPattern {
  readonly file: string;
}

const sourceFile = /(?:packages|apps)\/[\w-]+\/src\/[\w/.-]+\.ts/;

/**
 * Takes down every regular expression that modules make from here on with `new RegExp`. They work as always.
 *
 * @returns what was made so far, each once
 */
export function recordMadePatterns(): () => readonly MadePattern[] {
  const made = new Map<string, MadePattern>();
  globalThis.RegExp = new Proxy(RegExp, {
    construct(target, given: [string | RegExp, string?]) {
      const pattern = new target(...given);
      const file = sourceFile.exec(new Error("where").stack ?? "")?.[0];
      const { source, flags } = pattern;
      if (file !== undefined) made.set(`${file} ${source} ${flags}`, { file, source, flags });
      return pattern;
    },
  });
  return () => [...made.values()];
}
