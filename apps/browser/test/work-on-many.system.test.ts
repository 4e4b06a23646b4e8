import { readFileSync } from "node:fs";
import type { Memory } from "@loci/client";
import { beforeAll, describe, expect, test } from "vitest";
import { violations } from "./axe.ts";
import { chromium, needsChromium } from "./chromium.ts";
import { OpenedPage } from "./opened-page.ts";
import { endsWithoutTrouble } from "./page-end.ts";
import { ServedStore } from "./served-store.ts";

const scope = "project:many";
const list = "#/memories?scope=project%3Amany";

describe.skipIf(chromium === undefined)(`many memories at once in a browser${needsChromium}`, () => {
  let store: ServedStore;
  let opened: OpenedPage;
  /** As the list has them: the newest first. */
  let stored: readonly Memory[];

  beforeAll(async () => {
    store = await ServedStore.start();
    const inputs = Array.from({ length: 60 }, (_, index) => ({
      text: `Number ${59 - index} of the list.`,
      scope: scope as typeof scope,
      createdAt: (index + 1) * 1_000,
      tags: index === 59 ? ["seen"] : [],
      metadata: { place: index, name: "ä\u2028 <b>", isOdd: index % 2 === 1 },
      provenance: { sourceId: "told", kind: "conversation" as const, position: index, speaker: "Ann" },
    }));
    stored = (await store.loci.memories.rememberMany(inputs)).toReversed();
    opened = await OpenedPage.open(store);
  }, 120_000);
  endsWithoutTrouble(() => ({ opened, store }));

  const chosen = () => opened.page.locator(".selection-bar > span").textContent();
  const tagged = async (tag: string): Promise<readonly string[]> =>
    (await store.loci.memories.list({ scopes: [scope], pageSize: 100 })).memories
      .filter(({ tags }) => tags.includes(tag))
      .map(({ text }) => text);

  test("rows are chosen by keys, and tagged, each with a result", async () => {
    const { page } = opened;
    await opened.goTo(list);
    await page.locator(".row-text").first().waitFor();
    await page.locator(".row-list").focus();
    await page.keyboard.press("Space");
    await page.keyboard.press("Shift+ArrowDown");
    await page.keyboard.press("Shift+ArrowDown");
    await expect.poll(chosen).toBe("3 memories chosen");
    expect(await page.locator('.memory-list .row[aria-selected="true"]').count()).toBe(3);
    await page.getByRole("button", { name: "Tag…" }).press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Tags").fill("seen, kept");
    await page.keyboard.press("Enter");
    await expect.poll(() => dialog.getByRole("status").textContent()).toBe("3 tagged.");
    expect(await dialog.locator(".outcome").allTextContents()).toEqual(["tagged", "tagged", "tagged"]);
    await page.keyboard.press("Escape");
    await expect.poll(() => page.evaluate("document.activeElement.className")).toBe("row-list");
    expect(await tagged("kept")).toEqual([0, 1, 2].map((number) => `Number ${number} of the list.`));
    await expect.poll(() => page.locator(".selection-bar").count()).toBe(0);
  });

  test("what is so already and what failed is told of each memory", async () => {
    const { page } = opened;
    await opened.goTo(list);
    await page.locator(".row-box").nth(0).click();
    await page
      .locator(".row-box")
      .nth(4)
      .click({ modifiers: ["Shift"] });
    await expect.poll(chosen).toBe("5 memories chosen");
    await store.loci.memories.forget(stored[4]?.id as never);
    await page.getByRole("button", { name: "Tag…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Tags").fill("kept");
    await dialog.getByRole("button", { name: "Tag" }).click();
    await expect.poll(() => dialog.getByRole("status").textContent()).toBe("1 tagged, 3 were so already, 1 failed.");
    expect(await dialog.locator(".outcome-failed").allTextContents()).toEqual(["MEMORY_NOT_FOUND"]);
    await dialog.getByRole("button", { name: "Close" }).click();
    await store.loci.memories.restore(stored[4]?.id as never, 1);
  });

  test("of more than 20 the number has to be typed, and Undo brings all of them back", async () => {
    const { page } = opened;
    const count = async () => (await store.loci.memories.list({ scopes: [scope], pageSize: 100 })).memories.length;
    await opened.goTo("#/health");
    await opened.goTo(list);
    await page.locator(".row-list").focus();
    await page.keyboard.press("Control+a");
    await expect.poll(chosen).toBe("60 memories chosen");
    await page.getByRole("button", { name: "Forget", exact: true }).click();
    const dialog = page.getByRole("dialog");
    const forget = dialog.getByRole("button", { name: "Forget" });
    expect(await forget.isDisabled()).toBe(true);
    await dialog.getByLabel("Type 60 to go on").fill("6");
    expect(await forget.isDisabled()).toBe(true);
    await dialog.getByLabel("Type 60 to go on").fill("60");
    await forget.click();
    await expect.poll(() => dialog.getByRole("status").textContent(), { timeout: 20_000 }).toBe("60 forgotten.");
    await dialog.getByRole("button", { name: "Close" }).click();
    expect(await count()).toBe(0);
    await expect.poll(() => page.locator(".row-gone").count()).toBeGreaterThan(10);
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(count, { timeout: 30_000 }).toBe(60);
    await expect.poll(() => page.locator(".row-gone").count()).toBe(0);
  }, 90_000);

  test("memories are let expire", async () => {
    const { page } = opened;
    await opened.goTo("#/health");
    await opened.goTo(list);
    await page.locator(".row-box").nth(1).click();
    await page.getByRole("button", { name: "Let expire…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("When").fill("2031-01-02T03:04");
    await dialog.getByRole("button", { name: "Let expire" }).click();
    await expect.poll(() => dialog.getByRole("status").textContent()).toBe("1 will expire.");
    const { expiresAt } = await store.loci.memories.get(stored[1]?.id as never);
    expect(expiresAt).toBe(new Date("2031-01-02T03:04").getTime());
    await dialog.getByRole("button", { name: "Close" }).click();
  });

  test("what is exported comes in again as it was", async () => {
    const { page } = opened;
    await opened.goTo("#/health");
    await opened.goTo(list);
    await page.locator(".row-list").focus();
    await page.keyboard.press("Control+a");
    await page.getByRole("button", { name: "Export" }).click();
    const downloading = page.waitForEvent("download");
    await page.getByRole("dialog").getByRole("button", { name: "Export" }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe("memories.jsonl");
    const lines = readFileSync(await download.path(), "utf8")
      .trimEnd()
      .split("\n");
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
    await using empty = await ServedStore.start();
    const other = empty.loci;
    expect(await other.maintenance.importMemories(lines)).toMatchObject({ imported: 60, unchanged: 0 });
    for (const { id } of stored.slice(0, 5)) {
      const { version: _, etag: __, recordedAt: ___, ...now } = await store.loci.memories.get(id);
      expect(await other.memories.get(id)).toMatchObject(now);
    }
  });

  const looks = (["light", "dark"] as const).flatMap((scheme) => [1280, 320].map((width) => ({ scheme, width })));
  test.each(looks)(
    "axe finds nothing in the form, the bar and the dialog in $scheme at $width pixels",
    async (look) => {
      const { page } = opened;
      await page.emulateMedia({ colorScheme: look.scheme, reducedMotion: "reduce" });
      await page.setViewportSize({ width: look.width, height: 800 });
      await opened.goTo(`${list}&id=${stored[0]?.id}`);
      await page.getByRole("button", { name: "Edit" }).click();
      expect(["form", await violations(page)]).toEqual(["form", []]);
      await opened.goTo(list);
      await page.locator(".row-list").focus();
      await page.keyboard.press("Control+a");
      await page.locator(".selection-bar").waitFor();
      expect(["bar", await violations(page)]).toEqual(["bar", []]);
      await page.getByRole("button", { name: "Tag…" }).click();
      const dialog = page.getByRole("dialog");
      expect(["question", await violations(page)]).toEqual(["question", []]);
      await dialog.getByLabel("Tags").fill("kept");
      await dialog.getByLabel("Type 60 to go on").fill("60");
      await dialog.getByRole("button", { name: "Tag" }).click();
      await dialog.getByText("Close").waitFor();
      await dialog.locator(".outcome").first().waitFor();
      expect(["results", await violations(page)]).toEqual(["results", []]);
      const wide = "[...document.querySelectorAll('html, dialog')].filter((e) => e.scrollWidth > e.clientWidth).length";
      expect(await page.evaluate(wide)).toBe(0);
      await dialog.getByRole("button", { name: "Close" }).click();
    },
  );

  test("who may only look is shown nothing that changes something", async () => {
    await using looking = await OpenedPage.open(store, { readOnly: true });
    const { page } = looking;
    await looking.goTo(`${list}&id=${stored[0]?.id}`);
    await page.locator(".detail-text").waitFor();
    await page.locator(".row-box").first().click();
    const names = await page.locator("main").getByRole("button").allTextContents();
    expect(names.filter((name) => /Edit|Forget|Restore|Bring back|Tag|expire/.test(name))).toEqual([]);
    expect(names).toContain("Export");
    expect(looking.trouble).toEqual([]);
  });
});
