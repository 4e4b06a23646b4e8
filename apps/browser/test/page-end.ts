import { afterAll, afterEach, expect } from "vitest";
import type { OpenedPage } from "./opened-page.ts";
import type { ServedStore } from "./served-store.ts";

/** What the tests of a file share, as far as it has been opened. */
export interface SharedPage {
  readonly opened: OpenedPage | undefined;
  readonly store: ServedStore | undefined;
}

/** Each test leaves the page without trouble, and the last one ends it and its store. */
export function endsWithoutTrouble(shared: () => SharedPage): void {
  // oxlint-disable-next-line vitest/no-standalone-expect -- of each test
  afterEach(() => expect(shared().opened?.trouble).toEqual([]));
  afterAll(async () => {
    const { opened, store } = shared();
    await opened?.[Symbol.asyncDispose]();
    await store?.[Symbol.asyncDispose]();
  });
}
