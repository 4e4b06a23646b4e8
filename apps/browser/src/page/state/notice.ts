import { signal } from "@preact/signals";

/** What was done, with the way back where there is one. Stays until the next one or until somebody closes it. */
export interface Notice {
  readonly text: string;
  readonly undo?: (() => Promise<void>) | undefined;
}

export const notice = signal<Notice | undefined>(undefined);
