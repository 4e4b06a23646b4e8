import type { ItemReceipt, SectionSource } from "@loci/domain";

/** A text that Loci keeps, on its way into a section. It is data: whoever wrote it, it cannot leave its place. */
export interface KeptText {
  /** Of the section. */
  readonly source: SectionSource;
  /** In the receipt, such as `block:human@7` or `turnState`. */
  readonly id: string;
  readonly kind: Extract<ItemReceipt["kind"], "block" | "turnState">;
  /** Not escaped yet. */
  readonly text: string;
  /** What its form begins with, such as `[USER] `, which stays as it is although said text must not begin like that. */
  readonly opening?: string | undefined;
  /** Whether it stays the same from call to call, and so belongs before what does not. */
  readonly isStable: boolean;
}
