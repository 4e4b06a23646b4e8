import { MemoryService, ScopeKind } from "@loci/api-web";
import type { Memory } from "@loci/client";
import { beforeAll, describe, expect, test } from "vitest";
import { scoreSegments } from "../src/page/text/score-segments.ts";
import { chromium, needsChromium } from "./chromium.ts";
import { gatewayCalls } from "./gateway-calls.ts";
import { OpenedPage } from "./opened-page.ts";
import { endsWithoutTrouble } from "./page-end.ts";
import { ServedStore } from "./served-store.ts";

const texts = [
  "Billing uses PostgreSQL 17 because of row-level security.",
  "The billing database is backed up every night to another region.",
  "Invoices are sent on the first of each month.",
  "Alice looks after the billing database.",
  "The office is closed on Fridays.",
  "Deploys of billing happen on Thursdays.",
];

describe.skipIf(chromium === undefined)(`why something is recalled, in a browser${needsChromium}`, () => {
  let store: ServedStore;
  let opened: OpenedPage;
  let stored: readonly Memory[];

  beforeAll(async () => {
    store = await ServedStore.start();
    const { memories } = store.loci;
    stored = await memories.rememberMany(
      texts.map((text, index) => ({
        text,
        scope: "project:billing",
        importance: 0.3 + index / 10,
        createdAt: Date.now() - index * 86_400_000,
        ...(index === 0 ? { provenance: { sourceId: "docs/ADR-012.md", kind: "adr" } as const } : {}),
        ...(index === 1 ? { category: "procedure", tags: ["billing"] } : {}),
      })),
    );
    await memories.markUsed(stored.slice(0, 3).map(({ id }) => id));
    opened = await OpenedPage.open(store);
  }, 300_000);
  endsWithoutTrouble(() => ({ opened, store }));

  test.each(["balanced", "archive", "assistant", undefined])(
    "the bars of profile %s add up to each score",
    async (name) => {
      const memories = await gatewayCalls(MemoryService, opened.gateway);
      const { hits, profile, dropped } = await memories.recallMemories({
        question: { case: "query", value: "Which database does billing use?" },
        scopes: [{ kind: ScopeKind.PROJECT, id: "billing" }],
        explain: true,
        options: name === undefined ? {} : { profile: { case: "profileName", value: name } },
      });
      expect(hits.length).toBeGreaterThan(1);
      for (const { parts, score } of [...hits, ...dropped]) {
        if (parts === undefined || profile === undefined || score === undefined) continue;
        const sum = scoreSegments(parts, profile).reduce((sum, { value }) => sum + value, 0);
        expect(Math.abs(sum - score)).toBeLessThan(1e-9);
      }
    },
  );

  test("a question is asked by keys alone, and each answer says what its score is made of", async () => {
    const { page } = opened;
    await opened.goTo("#/memories");
    await page.locator(".row").first().waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("w");
    await page.getByRole("heading", { name: "Why is it recalled?" }).waitFor();
    await page.locator("#find").waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("Which database does billing use?");
    await page.keyboard.press("Enter");
    await page.locator(".hit").first().waitFor();
    expect(await page.locator(".hit .text").first().textContent()).toContain("database");
    expect(await page.locator(".hit .score-bar").first().getAttribute("aria-label")).toMatch(/relevance 0\.\d{3}/);
    expect(page.url()).toContain("q=Which+database");
    expect(await page.locator(".hit-about").allTextContents()).toContainEqual(
      expect.stringContaining("project:billing, from docs/ADR-012.md, "),
    );
  });

  test("an answer that is outdated says so, and leads to what holds instead", async () => {
    const { page } = opened;
    const [, newer] = await store.loci.memories.rememberMany([
      {
        text: "The favourite editor is Vim.",
        scope: "project:billing",
        slot: "editor",
        createdAt: Date.UTC(2026, 0, 5),
      },
      {
        text: "The favourite editor is Zed.",
        scope: "project:billing",
        slot: "editor",
        createdAt: Date.UTC(2026, 4, 4, 12),
      },
    ]);
    await opened.goTo(`#/why?q=${encodeURIComponent("Which editor is the favourite?")}`);
    const note = page.locator(".hit-outdated");
    await note.waitFor();
    expect(await note.count()).toBe(1);
    expect(await note.textContent()).toMatch(/^outdated since 2026-05-04 .*; what holds instead$/u);
    expect(await note.locator("a").getAttribute("href")).toContain(newer?.id);
  });

  test("an expected memory that is not recalled is accounted for", async () => {
    const { page } = opened;
    const office = stored[4]?.id ?? "";
    await opened.goTo(`#/why?q=${encodeURIComponent("Which database does billing use?")}&expected=${office}`);
    await page.getByRole("heading", { name: "The expected memory is not recalled." }).waitFor();
    expect(await page.locator(".expected").textContent()).toMatch(/[A-Z_]{6,}/);
  });

  test("a run that is pinned says what moved, and what is gone", async () => {
    const { page } = opened;
    await opened.goTo(`#/why?q=${encodeURIComponent("Which database does billing use?")}`);
    await page.getByRole("button", { name: "Pin this run" }).click();
    await expect.poll(() => page.locator(".hit .move").allTextContents()).toContain("same");
    await opened.goTo(`#/why?q=${encodeURIComponent("When are invoices sent?")}`);
    await expect.poll(() => page.locator(".hit .text").first().textContent()).toContain("Invoices");
    await page.locator(".pinned").getByText("of it not here").waitFor();
    await page.getByRole("button", { name: "Unpin" }).click();
    expect(await page.locator(".move").count()).toBe(0);
  });

  test("as of a day before anything was recorded nothing is known", async () => {
    const { page } = opened;
    await opened.goTo(`#/why?q=${encodeURIComponent("Which database does billing use?")}&asOf=2020-01-01T00%3A00`);
    await page.getByText("Nothing is recalled.").waitFor();
    await expect.poll(() => page.locator(".form-note").textContent()).toContain("at most 20,000 of them");
  });

  test("looking leaves no trace: nothing counts as used", async () => {
    const { memories } = store.loci;
    const used = async () => Promise.all(stored.map(async ({ id }) => (await memories.get(id)).usage));
    const before = await used();
    const through = await gatewayCalls(MemoryService, opened.gateway);
    await through.recallMemories({
      question: { case: "query", value: "Which database does billing use?" },
      scopes: [{ kind: ScopeKind.PROJECT, id: "billing" }],
      recordUsage: true,
    });
    await opened.goTo(`#/why?q=${encodeURIComponent("Who looks after billing?")}`);
    await opened.page.locator(".hit").first().waitFor();
    expect(await used()).toEqual(before);
  });
});
