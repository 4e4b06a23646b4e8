import { beforeAll, describe, expect, test } from "vitest";
import { chromium, needsChromium } from "./chromium.ts";
import { OpenedPage } from "./opened-page.ts";
import { endsWithoutTrouble } from "./page-end.ts";
import { ServedStore } from "./served-store.ts";

describe.skipIf(chromium === undefined)(`a filter of fields, in a browser${needsChromium}`, () => {
  let store: ServedStore;
  let opened: OpenedPage;

  beforeAll(async () => {
    store = await ServedStore.start();
    await store.loci.memories.rememberMany([
      { text: "Deploys happen on Thursdays.", scope: "project:billing", importance: 0.9, tags: ["deploy"] },
      { text: "Deploys were on Fridays.", scope: "project:billing", importance: 0.2, tags: ["deploy"] },
      { text: "The office is green.", scope: "global", importance: 0.9 },
    ]);
    opened = await OpenedPage.open(store);
  }, 300_000);
  endsWithoutTrouble(() => ({ opened, store }));

  test("the list has what the filter says, and says where a filter is wrong while it is typed", async () => {
    const { page } = opened;
    await opened.goTo("#/memories");
    await expect.poll(() => page.locator(".filter-count").textContent()).toBe("3 memories");
    const field = page.locator("input[name=where]");
    await field.focus();
    await page.keyboard.type("importance > high");
    const problem = page.locator(".where-problem");
    expect(await problem.textContent()).toBe("Character 14: high is not a number.");
    expect(await field.getAttribute("aria-invalid")).toBe("true");
    await field.fill("importance > 0.5 and tags has deploy");
    expect(await problem.textContent()).toBe("");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.locator(".filter-count").textContent()).toBe("1 memory");
    await expect.poll(() => page.locator(".row-text").allTextContents()).toEqual(["Deploys happen on Thursdays."]);
    // The focus stays where it was, and the address says what is shown.
    expect(await page.evaluate("document.activeElement.name")).toBe("where");
    expect(await page.evaluate("location.hash")).toContain("where=importance");
    const minor = { text: "Deploys take an hour.", scope: "project:billing", importance: 0.1 } as const;
    await store.loci.memories.remember({ ...minor, tags: ["deploy"] });
    await page.getByRole("button", { name: "The list may be old. Load it again" }).click();
    await expect.poll(() => page.locator(".filter-count").textContent()).toBe("1 memory");
  });

  test("a recall has what the filter says, and an unknown field of metadata is the server's to refuse", async () => {
    const { page } = opened;
    await opened.goTo("#/why?q=When+do+deploys+happen%3F");
    await expect.poll(() => page.locator(".hit").count()).toBeGreaterThan(1);
    await page.locator("input[name=where]").fill("importance > 0.5");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.locator(".hit").count()).toBe(1);
    await page.locator("input[name=where]").fill("metadata.area = us");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.locator(".failure").textContent()).toContain("metadata.area");
    await opened.goTo("#/why?q=When%3F&where=importance+is+0.5");
    await expect.poll(() => page.locator(".where-problem").textContent()).toContain("Character 12: Behind importance");
    expect(await page.locator(".hit").count()).toBe(0);
  });
});
