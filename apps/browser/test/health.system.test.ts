import { beforeAll, describe, expect, test } from "vitest";
import { chromium, needsChromium } from "./chromium.ts";
import { OpenedPage } from "./opened-page.ts";
import { endsWithoutTrouble } from "./page-end.ts";
import { ServedStore } from "./served-store.ts";

describe.skipIf(chromium === undefined)(`whether the server is well, in a browser${needsChromium}`, () => {
  let store: ServedStore;
  let opened: OpenedPage;

  beforeAll(async () => {
    store = await ServedStore.start();
    await store.loci.memories.remember({ text: "Billing uses PostgreSQL 17.", scope: "project:billing" });
    opened = await OpenedPage.open(store);
  }, 300_000);
  endsWithoutTrouble(() => ({ opened, store }));

  test("it is looked at again by itself, and says who asks", async () => {
    const { page } = opened;
    await opened.goTo("#/memories");
    await page.locator(".row").first().waitFor();
    await page.locator(".tenant").waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("h");
    const memories = page.locator(".figure dd").first();
    await expect.poll(() => memories.textContent()).toBe("1");
    await expect.poll(() => page.locator(".badge.good").count()).toBeGreaterThan(0);
    await store.loci.memories.remember({ text: "Deploys happen on Thursdays.", scope: "project:billing" });
    await expect.poll(() => memories.textContent()).toBe("2");
    expect(await page.locator(".facts").textContent()).toContain("local");
  });

  test("who leaves the view asks no more", async () => {
    const { page } = opened;
    await opened.goTo("#/memories");
    await page.locator(".row").first().waitFor();
    let asked = 0;
    page.on("request", (request) => (asked += request.url().endsWith("/GetStatus") ? 1 : 0));
    await page.waitForTimeout(2_500);
    expect(asked).toBe(0);
  });
});
