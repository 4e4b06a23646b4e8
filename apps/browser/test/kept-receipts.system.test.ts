import type { Memory } from "@loci/client";
import { beforeAll, describe, expect, test } from "vitest";
import { violations } from "./axe.ts";
import { chromium, needsChromium } from "./chromium.ts";
import { hostileStrings } from "./hostile-strings.ts";
import { OpenedPage } from "./opened-page.ts";
import { endsWithoutTrouble } from "./page-end.ts";
import { ServedStore } from "./served-store.ts";

const question = "Which database does billing use?";
const scopes = ["project:billing"] as const;

describe.skipIf(chromium === undefined)(`receipts that a server keeps, in a browser${needsChromium}`, () => {
  let store: ServedStore;
  let opened: OpenedPage;
  let memory: Memory;
  let first: string;
  let second: string;

  beforeAll(async () => {
    store = await ServedStore.start();
    const { memories } = store.loci;
    memory = await memories.remember({ text: "Billing uses PostgreSQL 17.", scope: "project:billing" });
    const ask = async (system: string): Promise<string> => {
      const { receiptId = "" } = await store.loci.assemble({ system, query: question, recall: { scopes } });
      return receiptId;
    };
    first = await ask("Be brief.");
    await memories.update(memory.id, { text: "Billing uses the database MySQL." }, { etag: memory.etag });
    await memories.remember({ text: "The database of billing is backed up at night.", scope: "project:billing" });
    second = await ask("Be kind.");
    opened = await OpenedPage.open(store);
  }, 300_000);
  endsWithoutTrouble(() => ({ opened, store }));

  test("they are listed, opened and compared by keys alone", async () => {
    const { page } = opened;
    await opened.goTo("#/window");
    const lines = page.locator(".kept-receipts li");
    await expect.poll(() => lines.count()).toBe(2);
    expect(await lines.first().textContent()).toMatch(/project:billing.*tokens, \d+ items.*by local/);
    await lines.first().locator("a").press("Enter");
    await page.locator(".layout-bar").waitFor();
    expect(await page.evaluate("location.hash")).toBe(`#/window?receipt=${second}`);
    await page.locator(".kept-receipts summary").press("Enter");
    await lines.nth(1).locator(".compare").press("Enter");
    await page.locator(".pinned").waitFor();
    expect(await page.locator(".pinned p").first().textContent()).toMatch(
      /1 item more, 0 items gone; the stable prefix is another, the first section that differs is system\./,
    );
    await page.locator(".pinned summary").press("Enter");
    expect(await page.locator(".pinned li").allTextContents()).toEqual([
      expect.stringContaining("The database of billing is backed up at night."),
    ]);
    await page.getByRole("button", { name: "Compare no more" }).press("Enter");
    await page.locator(".pinned").waitFor({ state: "detached" });
  });

  test("memories are shown as they were then, and what was not kept says how much it took", async () => {
    const { page } = opened;
    for (const [id, text] of [
      [first, "Billing uses PostgreSQL 17."],
      [second, "Billing uses the database MySQL."],
    ] as const) {
      await opened.goTo(`#/window?receipt=${id}`);
      await expect.poll(() => page.locator(".section-text .text").allTextContents()).toContainEqual(text);
      expect(await page.locator(".section-text").first().textContent()).toMatch(/system.*not kept, \d+ tokens/);
    }
    await store.loci.memories.forget(memory.id);
    await opened.goTo("#/window");
    await opened.goTo(`#/window?receipt=${first}`);
    await expect.poll(() => page.locator(".section-text .text").allTextContents()).toContainEqual(memory.text);
  });

  test("looking keeps no receipt, and one that is gone says so", async () => {
    const { page } = opened;
    await opened.goTo(`#/window?q=${encodeURIComponent(question)}`);
    await page.locator(".layout-bar").waitFor();
    expect((await store.loci.receipts.list()).receipts.map(({ id }) => id)).toEqual([second, first]);
    await opened.goTo("#/window?receipt=01900000-0000-7000-8000-000000000001");
    await expect.poll(() => page.locator(".failure").textContent()).toContain("There is no receipt");
    await opened.goTo(`#/window?receipt=${encodeURIComponent(hostileStrings[0] ?? "")}`);
    await expect.poll(() => page.locator(".failure").textContent()).toContain("lower-case UUIDv7");
  });

  test("nobody is kept out: light and dark, wide and narrow", async () => {
    const { page } = opened;
    for (const place of ["#/window", `#/window?receipt=${second}&with=${first}`])
      for (const colorScheme of ["light", "dark"] as const)
        for (const width of [1280, 320]) {
          await page.emulateMedia({ colorScheme });
          await page.setViewportSize({ width, height: 800 });
          await opened.goTo(place);
          await page
            .locator(place.includes("with") ? ".pinned" : ".kept-receipts li")
            .first()
            .waitFor();
          await opened.settled();
          expect({ place, colorScheme, width, found: await violations(page) }).toMatchObject({ found: [] });
          expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
          if (process.env["LOCI_SCREENSHOTS"] !== undefined)
            await page.screenshot({
              path: `${process.env["LOCI_SCREENSHOTS"]}/${place.includes("with") ? "compared" : "list"}-${colorScheme}-${width}.png`,
              fullPage: true,
            });
        }
  });

  test("a server that keeps none says so", async () => {
    await using none = await ServedStore.start({ LOCI_RECEIPTS_KEEP: "off" });
    await using other = await OpenedPage.open(none);
    await none.loci.memories.remember({ text: "A fact.", scope: "global" });
    await other.goTo("#/window");
    await expect
      .poll(() => other.page.locator(".kept-receipts").textContent())
      .toContain("This server keeps no receipts.");
  });
});
