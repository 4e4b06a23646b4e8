import { type ItemReceipt, messageSpan, type Receipt } from "@loci/domain";

/** What became of each message, by its position in the request. */
export function messageFates({ items }: Receipt): ReadonlyMap<number, ItemReceipt> {
  return new Map(
    items.flatMap((item) => {
      const { first, last } = messageSpan(item) ?? { first: 0, last: -1 };
      return Array.from({ length: last - first + 1 }, (_, index) => [first + index, item] as const);
    }),
  );
}
