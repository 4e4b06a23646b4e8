import { memoryId, type OutdatedMark } from "@loci/domain";
import type { RecallHit } from "@loci/loci";
import { expect, test } from "vitest";
import { outdatedWords } from "../src/output/outdated-words.ts";

const [first, second, third] = [1, 2, 3].map((number) => memoryId(`019a0000-0000-7000-8000-00000000000${number}`));
const hits = [first, second].map((id) => ({ memory: { id } as RecallHit["memory"] }));

function words(mark: Partial<OutdatedMark>, texts: Readonly<Record<string, string>> = {}): string {
  const whole = { since: Date.UTC(2026, 4, 4, 9, 30), isInPart: true, replacedBy: [], ...mark };
  return outdatedWords(whole, hits, new Map(Object.entries(texts)));
}

test("a mark says since when, and whether in part", () => {
  expect(words({})).toBe("outdated in part since 2026-05-04 09:30");
  expect(words({ isInPart: false })).toBe("outdated since 2026-05-04 09:30");
});

test("what holds instead is named by its place, else by its text, else by its id", () => {
  const replacedBy = [second!, third!];
  expect(words({ replacedBy }, { [third!]: "Uses\nZed \u001b[31mnow." })).toBe(
    `outdated in part since 2026-05-04 09:30; now: 2., Uses Zed \\u{1b}[31mnow. (${third})`,
  );
  expect(words({ replacedBy: [third!] })).toBe(`outdated in part since 2026-05-04 09:30; now: ${third}`);
});
