/** A block as a context shows it, before it is escaped. */
export interface ShownBlock {
  readonly label: string;
  readonly version: number;
  readonly text: string;
  /** Whose it is: `agent:coach`. */
  readonly owner: string;
  /** What its form begins with, where it has a mark of its own. */
  readonly opening?: string | undefined;
  /** What its user is doing, for a human block. */
  readonly currentTask?: string | undefined;
}
