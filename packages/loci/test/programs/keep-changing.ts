import type { Loci, Memory, ScopeText } from "@loci/loci";

/** What is said before a memory that is there is changed, and when a change was acknowledged. */
export type ChangeLine =
  | { readonly id: string; readonly word: string }
  | { readonly changing: string }
  | { readonly id: string; readonly forgotten: true };

/**
 * Remembers, forgets and updates memories until the process is killed.
 *
 * @param next numbers of which none is given twice; with the cycle they make words that one memory alone has
 */
export async function keepChanging(
  loci: Loci,
  {
    scope,
    cycle,
    next,
    say,
  }: {
    readonly scope: ScopeText;
    readonly cycle: number | string;
    readonly next: () => number;
    readonly say: (line: ChangeLine) => void;
  },
): Promise<never> {
  const own: Memory[] = [];
  for (;;) {
    const number = next();
    const word = `crate${cycle}x${number}`;
    const text = `The key is under ${word}, as everybody knows.`;
    const former = own.length > 3 ? own.shift() : undefined;
    if (former === undefined) {
      const memory = await loci.memories.remember({ text, scope });
      own.push(memory);
      say({ id: memory.id, word });
      continue;
    }
    const { id, etag } = former;
    say({ changing: id });
    if (number % 2 === 0) await loci.memories.forget(id);
    else await loci.memories.update(id, { text }, { etag });
    say(number % 2 === 0 ? { id, forgotten: true } : { id, word });
  }
}
