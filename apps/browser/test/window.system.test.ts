import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readReceipt } from "../src/page/views/window/read-receipt.ts";
import { chromium, needsChromium } from "./chromium.ts";
import { hostileStrings } from "./hostile-strings.ts";
import { OpenedPage } from "./opened-page.ts";
import { endsWithoutTrouble } from "./page-end.ts";
import { ServedStore } from "./served-store.ts";

const question = "Which database does billing use?";

describe.skipIf(chromium === undefined)(`what is in the window, in a browser${needsChromium}`, () => {
  const folder = mkdtempSync(join(tmpdir(), "loci-receipts-"));
  let store: ServedStore;
  let opened: OpenedPage;

  beforeAll(async () => {
    store = await ServedStore.start();
    await store.loci.memories.remember({ text: "Billing uses PostgreSQL 17.", scope: "project:billing" });
    opened = await OpenedPage.open(store);
  }, 300_000);
  endsWithoutTrouble(() => ({ opened, store }));
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  async function openFile(text: string): Promise<void> {
    const file = join(folder, "receipt.json");
    writeFileSync(file, text);
    await opened.page.locator("input[type=file]").setInputFiles([]);
    await opened.page.locator("input[type=file]").setInputFiles(file);
  }

  test("a context is assembled by keys alone, and shown section by section", async () => {
    const { page } = opened;
    await opened.goTo("#/memories");
    await page.locator(".row").first().waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("i");
    await page.locator(".receipt-file").waitFor();
    await page.locator("#find").waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type(question);
    await page.keyboard.press("Enter");
    await page.locator(".layout-bar").waitFor();
    expect(await page.locator(".section-text .text").allTextContents()).toContainEqual(
      expect.stringContaining("Billing uses PostgreSQL 17."),
    );
    await page.locator("summary", { hasText: "knowledge: kept 1" }).press("Enter");
    await page.locator("details[open] .item .badge", { hasText: "kept" }).waitFor();
  });

  test("a receipt in a file is shown as the context was", async () => {
    const { page } = opened;
    const context = await store.loci.assemble({
      query: question,
      system: "Be brief.",
      recall: { scopes: ["project:billing"] },
    });
    await opened.goTo("#/window");
    await openFile(JSON.stringify(context));
    await page.getByRole("heading", { name: "receipt.json" }).waitFor();
    const used = context.receipt.sections.map(({ usedTokens }) => usedTokens.toLocaleString("en"));
    const cells = await page.locator(".sections tbody td:nth-child(5)").allTextContents();
    expect(cells.map((cell) => cell.replace(" full", ""))).toEqual(used);
    // The receipt alone has no texts, and says so.
    await openFile(JSON.stringify(context.receipt));
    await expect.poll(() => page.locator(".section-text").first().textContent()).toContain("not kept");
  });

  test("two windows say what came, what went and whether the prefix is the same", async () => {
    const { page } = opened;
    await opened.goTo(`#/window?q=${encodeURIComponent(question)}`);
    await page.getByRole("button", { name: "Pin this window" }).click();
    await opened.goTo(`#/window?q=${encodeURIComponent("What colour has the office?")}&system=Be+brief.`);
    await expect.poll(() => page.locator(".pinned").textContent()).toMatch(/the stable prefix is another/);
    await page.getByRole("button", { name: "Unpin" }).click();
  });

  test("a file that is no receipt is refused in words", async () => {
    const { page } = opened;
    await opened.goTo("#/window");
    for (const [text, said] of [
      ["{", "The file is not JSON."],
      ["[1]", "There is no receipt in this file"],
      ["null", "There is no receipt in this file"],
    ] as const) {
      await openFile(text);
      await expect.poll(() => page.locator(".failure").textContent()).toContain(said);
    }
  });

  test("nothing in a receipt becomes more than text", async () => {
    const { page } = opened;
    for (const text of hostileStrings.slice(0, 60)) {
      await openFile(
        JSON.stringify({
          text,
          sections: [{ name: text, content: text, tokens: 1 }],
          receipt: {
            layout: text,
            model: text,
            tokenizer: text,
            stablePrefixHash: text,
            window: { totalTokens: text, queryTokens: -1, responseTokens: 1e308 },
            sections: [{ name: text, usedTokens: 3, grantedTokens: 1e308 }],
            items: [
              { id: text, kind: "memory", section: text, outcome: text, reason: text, source: text, score: text },
            ],
          },
        }),
      );
    }
    await page.locator(".layout-bar").waitFor();
    await page.locator("summary").first().click();
    const names = await page.evaluate<string[]>("[...document.querySelectorAll('main *')].map((e) => e.localName)");
    expect(names.filter((name) => /script|img|iframe|style|link|object|template|^b$/.test(name))).toEqual([]);
  });
});

test("numbers of a receipt that are none make no bars", () => {
  const { sections, total } = readReceipt(
    JSON.stringify({ sections: [{ name: "a", usedTokens: -5, baseTokens: "7", neededTokens: 1e300 }], window: [] }),
    "a.json",
  );
  expect([sections[0]?.used, sections[0]?.base, sections[0]?.needed, total]).toEqual([0, 0, 1e9, 0]);
});
