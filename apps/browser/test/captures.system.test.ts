import { beforeAll, describe, expect, test } from "vitest";
import { chromium, needsChromium } from "./chromium.ts";
import { OpenedPage } from "./opened-page.ts";
import { endsWithoutTrouble } from "./page-end.ts";
import { ServedStore } from "./served-store.ts";

const scope = "user:alice";

describe.skipIf(chromium === undefined)(`what was captured, in a browser${needsChromium}`, () => {
  let store: ServedStore;
  let opened: OpenedPage;
  let first: string;
  let second: string;

  beforeAll(async () => {
    store = await ServedStore.start();
    first = await capture("day-1", [
      "I live in Hamburg. I am allergic to peanuts.",
      "Would it rain if I went to Bremen tomorrow?",
      "From now on, always run the linter before you commit.",
    ]);
    second = await capture("day-2", ["I moved: now I live in Berlin.", "My password is hunter2-Xy81-secret."]);
    opened = await OpenedPage.open(store);
  }, 300_000);
  endsWithoutTrouble(() => ({ opened, store }));

  async function capture(id: string, said: readonly string[]): Promise<string> {
    const session = { scope, id } as const;
    const { sessions, captures } = store.loci;
    await sessions.create({ ...session, capture: "off" });
    await sessions.append(session, { expectedLast: 0, turns: said.map((content) => ({ role: "user", content })) });
    const { id: job } = await captures.start({ session });
    await captures.wait(job);
    return job;
  }

  async function open(id: string): Promise<void> {
    await opened.goTo("#/captures");
    await opened.goTo(`#/captures?id=${id}`);
    await opened.page.locator(".candidates").waitFor();
  }

  test("the captures of all sessions are listed, and one is opened by keys alone", async () => {
    const { page } = opened;
    await page.keyboard.press("g");
    await page.keyboard.press("c");
    await expect.poll(() => page.locator(".row-text").allTextContents()).toEqual(["day-2", "day-1"]);
    await page.locator(".row-list").focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.locator(".detail .id").first().textContent()).toBe(first);
    await page.keyboard.press("Escape");
    await expect.poll(() => page.locator(".detail").count()).toBe(0);
    await expect.poll(() => page.evaluate("document.activeElement.className")).toBe("row-list");
  });

  test("a scope or a state without captures says so", async () => {
    const { page } = opened;
    for (const place of ["#/captures?state=dead", "#/captures?scope=user%3Abob"]) {
      await opened.goTo(place);
      await expect.poll(() => page.locator(".note.empty").textContent()).toContain("Nothing was captured here.");
      await opened.goTo("#/captures");
      await page.locator(".row").nth(1).waitFor();
    }
  });

  test("each statement says what became of it and on which words it rests, as the record has it", async () => {
    const { page } = opened;
    const { outcome } = await store.loci.captures.get(first);
    const candidates = outcome?.candidates ?? [];
    expect(candidates.map(({ decision }) => decision)).toContain("ADD");
    expect(candidates.map(({ state }) => state)).toContain("rejected");
    await open(first);
    const shown = await page.locator(".candidate").allTextContents();
    expect(shown).toHaveLength(candidates.length);
    for (const [index, { decision, reason, text, evidence }] of candidates.entries()) {
      expect(shown[index]).toContain(reason ?? decision);
      expect(shown[index]).toContain(text);
      for (const { turn, quote } of evidence) expect(shown[index]).toContain(`turn ${turn} ${quote}`);
    }
    const facts = (await page.locator(".capture-facts").textContent()) ?? "";
    expect(facts).toContain("rules; no model was asked");
    expect(facts).toContain("Tokensnone");
    expect(await page.locator("#candidates-title + p").textContent()).toContain("How near it came is not kept.");
  });

  test("what a statement was compared with stands beside it, and a secret nowhere", async () => {
    const { page } = opened;
    const { outcome } = await store.loci.captures.get(second);
    const moved = outcome?.candidates.find(({ decision }) => decision === "UPDATE");
    expect(moved?.target).toBeTypeOf("string");
    await open(second);
    await expect.poll(() => page.locator(".candidate-target").first().textContent()).toContain("Hamburg");
    expect(await page.content()).not.toContain("hunter2");
  });

  test("a dry run stands beside the run and writes nothing", async () => {
    const { page } = opened;
    const before = await store.loci.memories.list({ scopes: [scope] });
    await open(first);
    await page.getByLabel("Read again by").focus();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.locator(".with-dry-run").first().waitFor();
    const { outcome } = await store.loci.captures.replay(first);
    const now = (await page.locator(".candidates").textContent()) ?? "";
    for (const { decision, reason } of outcome?.candidates ?? []) expect(now).toContain(reason ?? decision);
    // What it added is known by now.
    expect(now).toContain("NOOP");
    expect(now).toContain("The same now.");
    // What it would write is not there to be opened.
    expect(await page.locator(".candidate-side:last-child a", { hasText: "The memory" }).count()).toBe(0);
    expect(await store.loci.memories.list({ scopes: [scope] })).toEqual(before);
    expect((await store.loci.captures.get(first)).state).toBe("succeeded");
  });

  test("undo asks first, and says of each memory what became of it", async () => {
    const { page } = opened;
    const { outcome } = await store.loci.captures.get(second);
    const written = (outcome?.candidates ?? []).flatMap(({ memory }) => memory ?? []);
    expect(written.length).toBeGreaterThan(0);
    await open(second);
    await page.getByRole("button", { name: "Undo…" }).press("Enter");
    await page.getByRole("button", { name: "Leave it" }).press("Enter");
    expect((await store.loci.captures.get(second)).state).toBe("succeeded");
    await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe("Undo…");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe("Undo the capture");
    await page.keyboard.press("Enter");
    await page.getByText("What undoing did").waitFor();
    const { state, undone } = await store.loci.captures.get(second);
    expect(state).toBe("undone");
    const results = await page.locator(".undone li").allTextContents();
    expect(results).toEqual([
      ...(undone?.forgotten ?? []).map((id) => `forgotten ${id}`),
      ...(undone?.reopened ?? []).map((id) => `holds again ${id}`),
      ...(undone?.skipped ?? []).map((id) => `left alone: changed since ${id}`),
    ]);
    expect(undone?.forgotten).toEqual(expect.arrayContaining(written));
    expect(undone?.reopened.length).toBe(1);
    const texts = (await store.loci.memories.list({ scopes: [scope] })).memories.map(({ text }) => text);
    expect(texts).toContainEqual(expect.stringContaining("Hamburg"));
    expect(texts).not.toContainEqual(expect.stringContaining("Berlin"));
  });

  test("who came only to look is offered no undo, and gets none", async () => {
    await using looking = await OpenedPage.open(store, { readOnly: true });
    await looking.goTo(`#/captures?id=${first}`);
    await looking.page.locator(".candidates").waitFor();
    expect(await looking.page.getByRole("button", { name: "Undo…" }).count()).toBe(0);
    await looking.page.getByRole("button", { name: "Dry run" }).click();
    await looking.page.locator(".with-dry-run").first().waitFor();
    expect(looking.trouble).toEqual([]);
  });
});
