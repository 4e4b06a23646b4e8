import { diffWordsWithSpace } from "diff";

/** Words that two texts share, or that one of them has. */
export interface DifferentWords {
  readonly text: string;
  readonly kind: "same" | "removed" | "added";
}

/** Longer comparisons say less than both texts do, and take the page's time. */
const mostEdits = 2_000;

/** What became of one text in the other. Of texts that share next to nothing, all of one and all of the other. */
export function wordDifferences(before: string, after: string): readonly DifferentWords[] {
  const changes = diffWordsWithSpace(before, after, { maxEditLength: mostEdits, timeout: 200 });
  if (changes === undefined)
    return [
      { text: before, kind: "removed" },
      { text: after, kind: "added" },
    ];
  return changes.map(({ value, added, removed }) => ({
    text: value,
    kind: added ? "added" : removed ? "removed" : "same",
  }));
}
