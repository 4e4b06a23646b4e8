import { explanationOf, type ItemReason } from "@loci/domain";

/** What became of an item of a window, where that is not why a memory was not recalled. */
const itemWords: Readonly<Record<ItemReason, string>> = {
  SECTION_FULL: "found no room in its section",
  ITEM_MAXIMUM: "is longer than one item of its section may be",
  MOVED_TO_SECONDARY_SECTION: "went to another section, as its own was full",
  NO_SECTION_LEFT: "belongs to a section that this layout does not have",
  OLDER_THAN_WINDOW: "is older than what the section reaches back to",
  SUMMARIZED: "stands in the summary",
  REPEATS_QUERY: "asks the same question",
  EMPTY: "is empty",
};

/** Why something was left out, in words where there are some, always with the name that programs get. */
export function reasonWords(reason: string): string {
  const item = Object.hasOwn(itemWords, reason) ? itemWords[reason as ItemReason] : undefined;
  const says = explanationOf(reason)?.says ?? item;
  return says === undefined ? reason : `${says} (${reason})`;
}

/** What would bring in what was left out, where that is known. */
export function reasonHelp(reason: string): string | undefined {
  return explanationOf(reason)?.helps;
}
