// What a larger window changes, as the README says it: not all that one would like, but exactly this.
import { type HistoryOptions, LociError, type SectionDefinition, type SectionSource } from "@loci/domain";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type Assembly,
  assembleContext,
  type AssemblyInput,
  checkLayout,
  planWindow,
  resolveModel,
} from "../../src/index.ts";
import { shortenedMessage } from "../../src/history/shortened-message.ts";
import { givenText, hits, message, text } from "../assembly/any-assembly.ts";
import { exampleInput } from "../assembly/example-input.ts";
import { messageFates } from "../assembly/message-fates.ts";
import { propertyRuns } from "../property-runs.ts";

/** Tokens of both windows, the smaller first. */
const windows = fc
  .tuple(fc.integer({ min: 100, max: 1500 }), fc.nat({ max: 1000 }))
  .map(([smaller, more]) => [smaller, smaller + more] as const);

const messages = (parts: typeof message): fc.Arbitrary<AssemblyInput["messages"]> =>
  fc.array(parts, { maxLength: 14 }).map((all) => all.flat());

/** No text in them is long. */
const contents = fc.record({
  system: givenText,
  project: givenText,
  messages: messages(message.filter((parts) => parts.every((one) => shortenedMessage(one) === undefined))),
  query: text,
  hits,
});

/**
 * Compares contexts of a window and a larger one. Of two sections one is never cut, so that all else is room for the other.
 * Requests that are refused do not count.
 */
function expectOfBoth(
  cut: Omit<SectionDefinition, "name">,
  history: HistoryOptions,
  check: (smaller: Assembly, larger: Assembly, whole: string) => void,
  renderings: readonly ("xml" | "markdown")[] = ["xml", "markdown"],
  said: fc.Arbitrary<typeof contents extends fc.Arbitrary<infer Content> ? Content : never> = contents,
): void {
  const system: SectionDefinition = { name: "system", source: "system", shortening: "never", base: 0 };
  const sections = [system, { name: "cut", ...cut }];
  fc.assert(
    fc.property(said, windows, fc.constantFrom(...renderings), (content, [smaller, larger], rendering) => {
      const { hits, project, ...given } = content;
      const layout = checkLayout({ name: "two", rendering, mode: "sequential", sections });
      const assembled = (tokens: number): Assembly | undefined => {
        const overrides = { sections: { cut: tokens }, query: 0 };
        try {
          return assembleContext(
            exampleInput({
              ...given,
              layout,
              mode: layout.mode,
              history,
              project: cut.source === "project" ? project : undefined,
              plan: planWindow({ resolved: resolveModel("gpt-4o"), layout, overrides }),
              recall: { hits, dropped: [], degraded: [] },
            }),
          );
        } catch (error) {
          if (LociError.is(error)) return undefined;
          throw error;
        }
      };
      const before = assembled(smaller);
      if (before === undefined) return fc.pre(false);
      const after = assembled(larger);
      // What fits a window fits a larger one.
      if (after === undefined) throw new Error("The larger window is refused.");
      check(before, after, project ?? "");
    }),
    { numRuns: propertyRuns(150), seed: 20_261_123, endOnFailure: true },
  );
}

describe("with more room for one section", () => {
  test.each(["characters", "sentences"] as const)("a text cut at %s is the same or goes on", (shortening) => {
    expectOfBoth({ source: "project", shortening }, {}, (smaller, larger, whole) => {
      expect(keptText(larger, whole)).toBeGreaterThanOrEqual(keptText(smaller, whole));
    });
  });

  test.each<SectionSource>(["knowledge", "personalMemories"])("the best of %s that differs is kept", (source) => {
    const check = (smaller: Assembly, larger: Assembly): void => {
      const before = keptMemories(smaller);
      const after = keptMemories(larger);
      const byScore = larger.receipt.items.filter(({ kind }) => kind === "memory").map(({ id }) => id);
      const differing = byScore.find((id) => before.has(id) !== after.has(id));
      expect(differing === undefined || after.has(differing)).toBe(true);
    };
    // Where only a count of the whole tells, it may cost the last item.
    expectOfBoth({ source, shortening: "items" }, {}, check, ["xml"]);
  });

  test("every message stays that was kept, without summaries", () => {
    expectOfBoth({ source: "history", shortening: "history" }, { strategy: "window" }, (smaller, larger) => {
      expect([...shownMessages(larger).keys()]).toEqual(expect.arrayContaining([...shownMessages(smaller).keys()]));
    });
  });

  test("every message stays that was kept, if they fit 70% of it", () => {
    expectOfBoth({ source: "history", shortening: "history" }, {}, (smaller, larger) => {
      expect(lostMessages(smaller, larger, 0.7)).toEqual([]);
    });
  });

  test.each(["window", "summary"] as const)(
    "every message is shown that was, if they fit 30%% of it, where texts are long: strategy %s",
    (strategy) => {
      const said = fc.tuple(contents, messages(message)).map(([content, long]) => ({ ...content, messages: long }));
      const check = (smaller: Assembly, larger: Assembly): void => {
        expect(lostMessages(smaller, larger, 0.3)).toEqual([]);
      };
      expectOfBoth({ source: "history", shortening: "history" }, { strategy }, check, undefined, said);
    },
  );
});

/** What the smaller one shows and the larger one does not. Does not count where it takes more than this share of the section there. */
function lostMessages(smaller: Assembly, larger: Assembly, share: number): readonly number[] {
  const shown = shownMessages(smaller);
  const tokens = [...shown.values()].reduce((sum, one) => sum + one, 0);
  const { budgetTokens, queryTokens } = larger.usage;
  const [system] = larger.receipt.sections;
  const room = budgetTokens - queryTokens - (system?.grantedTokens ?? 0);
  // What is around the messages is no part of the share.
  fc.pre(tokens <= share * (room - 30));
  const kept = shownMessages(larger);
  return [...shown.keys()].filter((index) => !kept.has(index));
}

/** How much of the text stands in the section, all of it or what is before the mark. */
function keptText({ sections, receipt }: Assembly, whole: string): number {
  const item = receipt.items.find(({ id }) => id === "text:cut");
  if (item === undefined || item.outcome === "dropped") return 0;
  if (item.outcome === "kept") return whole.length;
  const { content = "" } = sections.find(({ name }) => name === "cut") ?? {};
  let length = 0;
  while (length < whole.length && content[length] === whole[length]) length++;
  return length;
}

function keptMemories({ receipt }: Assembly): ReadonlySet<string> {
  const kept = receipt.items.filter(
    ({ kind, outcome, section }) => kind === "memory" && outcome !== "dropped" && section === "cut",
  );
  return new Set(kept.map(({ id }) => id));
}

/** Tokens of each message that is shown, by position. */
function shownMessages({ receipt }: Assembly): ReadonlyMap<number, number> {
  return new Map(
    Array.from(messageFates(receipt)).flatMap(([index, { outcome, tokens }]) =>
      outcome !== "dropped" ? [[index, tokens] as const] : [],
    ),
  );
}
