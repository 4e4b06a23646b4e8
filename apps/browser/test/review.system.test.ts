import type { Memory, ProposedBlockEdit } from "@loci/client";
import { beforeAll, describe, expect, test } from "vitest";
import { chromium, needsChromium } from "./chromium.ts";
import { OpenedPage } from "./opened-page.ts";
import { endsWithoutTrouble } from "./page-end.ts";
import { ServedStore } from "./served-store.ts";

const owner = "user:alice";
const label = "human";

describe.skipIf(chromium === undefined)(`what waits for a person, in a browser${needsChromium}`, () => {
  let store: ServedStore;
  let opened: OpenedPage;
  let about: Memory;

  beforeAll(async () => {
    store = await ServedStore.start({ LOCI_DETECTION_PHONE: "quarantine" });
    about = await store.loci.memories.remember({ text: "Alice works on billing.", scope: owner });
    await store.loci.blocks.create({ owner, label, values: { name: "Alice", preferences: ["tabs"] } });
    opened = await OpenedPage.open(store);
  }, 300_000);
  endsWithoutTrouble(() => ({ opened, store }));

  const propose = async (...entries: string[]): Promise<ProposedBlockEdit> =>
    store.loci.blocks.propose({
      owner,
      label,
      operations: entries.map((value) => ({ op: "append", field: "preferences", value })),
      reason: "She said so in turn 14.",
    });
  const preferences = async (): Promise<unknown> =>
    (await store.loci.blocks.get({ owner, label })).values["preferences"];

  async function openReview(count: number): Promise<void> {
    await opened.goTo("#/memories");
    await opened.goTo("#/review");
    await opened.page.getByText(`1 of ${count}`).waitFor();
  }

  test("nothing is chosen beforehand, a hunk is approved by keys alone, and Undo takes it back", async () => {
    const { page } = opened;
    const before = await preferences();
    await propose("spaces", "the root password is hunter2");
    await openReview(1);
    expect(await page.locator(".hunk input:checked").count()).toBe(0);
    expect(await page.getByRole("button", { name: "Approve" }).isDisabled()).toBe(true);
    await page.locator(".hunk input").first().press("Space");
    await page.getByText("What the block would say").waitFor();
    expect(await page.locator(".preview ins").allTextContents()).toEqual([expect.stringContaining("spaces")]);
    await page.keyboard.press("a");
    await page.getByText("Approved: 1 change of 2.").waitFor();
    expect(await preferences()).toEqual([...(before as string[]), "spaces"]);
    await page.getByRole("button", { name: "Undo" }).press("Enter");
    await expect.poll(preferences).toEqual(before);
  });

  test("a block that moved is a conflict, and what it would become now is shown before it is approved", async () => {
    const { page } = opened;
    await propose("dark mode");
    await openReview(1);
    await page.locator(".hunk input").first().check();
    await page.getByText("What the block would say").waitFor();
    const { etag } = await store.loci.blocks.get({ owner, label });
    const operations = [{ op: "append", field: "preferences", value: "short answers" } as const];
    await store.loci.blocks.update({ owner, label }, { operations }, { etag });
    await page.getByRole("button", { name: "Approve 1 of 1" }).click();
    await expect.poll(() => page.locator(".failure").first().textContent()).toContain("EDIT_CONFLICT");
    expect(await preferences()).not.toContain("dark mode");
    await page.getByText("The block has changed since").waitFor();
    await page.getByRole("button", { name: "Approve 1 of 1" }).click();
    await expect.poll(preferences).toEqual(expect.arrayContaining(["short answers", "dark mode"]));
  });

  test("an edit that is rejected changes nothing", async () => {
    const { page } = opened;
    const before = await preferences();
    const { id } = await propose("<img src=x onerror=alert(1)>");
    await openReview(1);
    await page.keyboard.press("r");
    await page.getByText("Nothing waits.").waitFor();
    expect(await preferences()).toEqual(before);
    expect((await store.loci.blocks.getEdit({ id })).edit.state).toBe("rejected");
  });

  test("a memory that waits is shown whole, and can be recalled once it is approved", async () => {
    const { page } = opened;
    const said =
      "Always call the harbour office on +49 30 901820 before you send any of the invoices of the night shift out.";
    const session = { scope: owner, id: "day-1" } as const;
    await store.loci.sessions.create({ ...session, capture: "off" });
    await store.loci.sessions.append(session, { expectedLast: 0, turns: [{ role: "user", content: said }] });
    const { id } = await store.loci.captures.start({ session });
    await store.loci.captures.wait(id);
    await openReview(1);
    await expect.poll(() => page.locator(".review-text").textContent()).toContain("harbour office on +49 30 901820");
    await page.keyboard.press("a");
    await page.getByText("Nothing waits.").waitFor();
    const { memories } = await store.loci.memories.list({ scopes: [owner] });
    expect(memories.map(({ text }) => text)).toContainEqual(expect.stringContaining("harbour office"));
  });

  test("going on and back is done by keys, and a chord for a view decides nothing", async () => {
    const { page } = opened;
    const first = await propose("one");
    await propose("two");
    await openReview(2);
    await page.keyboard.press("j");
    await page.getByText("2 of 2").waitFor();
    await page.keyboard.press("k");
    await page.getByText("1 of 2").waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("r");
    await page.waitForTimeout(300);
    expect((await store.loci.blocks.getEdit({ id: first.id })).edit.state).toBe("pending");
    expect(about.text).toBe("Alice works on billing.");
  });
});
