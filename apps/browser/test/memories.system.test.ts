import type { Memory } from "@loci/client";
import { beforeAll, describe, expect, test } from "vitest";
import { chromium, needsChromium } from "./chromium.ts";
import { OpenedPage } from "./opened-page.ts";
import { endsWithoutTrouble } from "./page-end.ts";
import { scrolledFigures } from "./scroll-frames.ts";
import { ServedStore } from "./served-store.ts";

/** More than the page keeps at once; as many as one likes. */
const rows = Number(process.env["LOCI_BROWSER_ROWS"] ?? 5_000);

describe.skipIf(chromium === undefined)(`the memories in a browser${needsChromium}`, () => {
  let store: ServedStore;
  let opened: OpenedPage;
  let theme: Memory;
  let bicycle: Memory;

  beforeAll(async () => {
    store = await ServedStore.start();
    const { memories } = store.loci;
    const now = Date.now();
    for (let start = 0; start < rows; start += 1_000)
      await memories.rememberMany(
        Array.from({ length: Math.min(1_000, rows - start) }, (_, index) => ({
          text: `Invoice ${start + index} was paid.`,
          scope: "project:billing",
          // The first is the oldest, and so the last row.
          createdAt: now - (rows - start - index) * 1_000,
        })),
      );
    const first = await memories.remember({ text: "Alice prefers the light theme.", scope: "user:alice" });
    theme = await memories.update(first.id, { text: "Alice prefers the dark theme." }, { etag: first.etag });
    bicycle = await memories.remember({ text: "Bob has a red bicycle.", scope: "user:bob" });
    // What follows the log has caught up, and the server has nothing else to do.
    await store.loci.settled();
    opened = await OpenedPage.open(store);
  }, 900_000);
  endsWithoutTrouble(() => ({ opened, store }));

  test("the first rows are there soon, by few requests", async () => {
    const { page } = opened;
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    const start = performance.now();
    await page.goto(`http://127.0.0.1:${opened.gateway.port}/`);
    await page.locator(".row-text").first().waitFor();
    const milliseconds = performance.now() - start;
    console.log(`first of ${rows} rows: ${Math.round(milliseconds)} ms, ${requests.length} requests`);
    expect(requests.length).toBeLessThanOrEqual(12);
    // A second on a quiet machine.
    expect(milliseconds).toBeLessThan(10_000);
    await expect.poll(() => page.locator(".filter-count").textContent()).toContain((rows + 2).toLocaleString("en"));
  });

  test("End reaches the last row, and few elements are in the document", async () => {
    const { page } = opened;
    await opened.goTo("#/memories");
    await page.locator(".row-list").focus();
    await page.keyboard.press("End");
    await expect.poll(() => page.locator(".row.active .row-text").textContent()).toBe("Invoice 0 was paid.");
    expect(await page.evaluate("document.querySelectorAll('*').length")).toBeLessThan(500);
    await page.keyboard.press("Home");
    await expect.poll(() => page.locator(".row.active .row-text").textContent()).toBe("Bob has a red bicycle.");
  });

  test("a list of any length is scrolled smoothly, and takes little", async () => {
    const { page } = opened;
    await opened.goTo("#/health");
    await page.locator(".memories").waitFor({ state: "detached" });
    const { frames, workPerFrame, heap } = await scrolledFigures(page, 300, async () => {
      await opened.goTo("#/memories");
      await page.locator(".row-text").first().waitFor();
    });
    // What was passed by is loaded where scrolling has ended.
    await expect.poll(() => page.locator(".row-unknown").count()).toBe(0);
    const elements = await page.evaluate<number>("document.querySelectorAll('*').length");
    const length = (share: number): string => (frames[Math.ceil(share * frames.length) - 1] ?? 0).toFixed(1);
    const megabytes = (heap / 2 ** 20).toFixed(1);
    console.log(
      `frames of ${rows} rows: median ${length(0.5)} ms, p99 ${length(0.99)} ms, work ${workPerFrame.toFixed(1)} ms each; heap +${megabytes} MiB; ${elements} elements`,
    );
    expect(elements).toBeLessThanOrEqual(500);
    expect(heap).toBeLessThanOrEqual(30 * 2 ** 20);
    // Of 16.7 ms that a frame has. What frames take besides is what else the machine does.
    expect(workPerFrame).toBeLessThan(16);
  });

  test("rows whose ids come late are loaded as well", async () => {
    const { page } = opened;
    await opened.goTo("#/health");
    await page.locator(".memories").waitFor({ state: "detached" });
    // The last part of the list is held back until its rows have been asked for.
    await page.evaluate(`
      const read = ReadableStreamDefaultReader.prototype.read;
      let parts = 0;
      ReadableStreamDefaultReader.prototype.read = async function () {
        const part = await read.call(this);
        if (!part.done && part.value.length > 10_000 && ++parts > 1) await new Promise((resolve) => setTimeout(resolve, 1_500));
        return part;
      };
      addEventListener("late-ids-over", () => (ReadableStreamDefaultReader.prototype.read = read), { once: true });
    `);
    await opened.goTo("#/memories?scope=project%3Abilling");
    await page.locator(".row-text").first().waitFor();
    await page.locator(".row-list").focus();
    await page.keyboard.press("End");
    await expect.poll(() => page.locator(".row.active .row-text").allTextContents()).toEqual(["Invoice 0 was paid."]);
    await page.evaluate("dispatchEvent(new Event('late-ids-over'))");
  });

  test("the active row stays in the document when it is scrolled away", async () => {
    const { page } = opened;
    await page.locator(".row-list").focus();
    await page.keyboard.press("Home");
    await page.evaluate("document.querySelector('.row-list').scrollTop = 40000");
    const active = await page.locator(".row-list").getAttribute("aria-activedescendant");
    await expect.poll(() => page.locator(`#${active}`).count()).toBe(1);
    await expect.poll(() => page.locator(".row").count()).toBeLessThan(60);
  });

  test("a memory is found, opened, read and closed by keys alone", async () => {
    const { page } = opened;
    await opened.goTo("#/memories");
    await page.locator("#find").waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("dark theme");
    await expect.poll(() => page.locator(".row-text").allTextContents()).toEqual(["Alice prefers the dark theme."]);
    await page.locator(".row-list").focus();
    await page.keyboard.press("Enter");
    await page.locator(".versions li").first().waitFor();
    expect(await page.evaluate("document.activeElement.id")).toBe("detail-title");
    expect(page.url()).toContain(`id=${theme.id}`);
    // The other words hold from now on.
    expect(await page.locator(".versions del").allTextContents()).toEqual(["light", "none"]);
    const inserted = await page.locator(".versions ins").allTextContents();
    expect(inserted).toEqual(["dark", expect.stringContaining(String(new Date().getFullYear()))]);
    await page.keyboard.press("Escape");
    await expect.poll(() => page.evaluate("document.activeElement.className")).toBe("row-list");
    await opened.goTo("#/memories");
  });

  test("rows never move by themselves: what is new waits, what was changed shows where it is", async () => {
    const { page } = opened;
    const { memories } = store.loci;
    const scope = "team:rows";
    const [first, second] = await memories.rememberMany([
      { text: "The door is green.", scope, createdAt: 1_000 },
      { text: "The wall is white.", scope, createdAt: 2_000 },
    ]);
    await opened.goTo("#/memories?scope=team%3Arows");
    const texts = () => page.locator(".row-text").allTextContents();
    await expect.poll(texts).toEqual(["The wall is white.", "The door is green."]);
    await memories.remember({ text: "The roof is red.", scope });
    await memories.remember({ text: "The floor is grey.", scope });
    await memories.update(first?.id as never, { text: "The door is blue." }, { etag: first?.etag as never });
    await page.getByRole("button", { name: "2 new. Show" }).waitFor();
    await expect.poll(texts).toEqual(["The wall is white.", "The door is blue."]);
    await memories.forget(second?.id as never);
    await expect.poll(() => page.locator(".row-gone").allTextContents()).toEqual(["The wall is white."]);
    await page.getByRole("button", { name: "2 new. Show" }).click();
    await expect.poll(texts).toEqual(["The floor is grey.", "The roof is red.", "The door is blue."]);
  });

  test("a list is in the order that was chosen", async () => {
    const { page } = opened;
    const scope = "team:order";
    await store.loci.memories.rememberMany([
      { text: "Little.", scope, importance: 0.1 },
      { text: "Much.", scope, importance: 0.9 },
      { text: "Some.", scope, importance: 0.5 },
    ]);
    await opened.goTo("#/memories?scope=team%3Aorder");
    await page.getByRole("combobox", { name: "Order" }).selectOption("most important");
    await expect.poll(() => page.locator(".row-text").allTextContents()).toEqual(["Much.", "Some.", "Little."]);
    expect(page.url()).toContain("order=importance");
  });

  test("a link to a memory opens it", async () => {
    const { page } = opened;
    await opened.goTo(`#/memories?scope=user%3Aalice&id=${theme.id}`);
    await expect.poll(() => page.locator(".detail-text").textContent()).toBe("Alice prefers the dark theme.");
    await expect.poll(() => page.locator(".filter-count").textContent()).toBe("1 memory");
  });

  test("what is forgotten is gone for programs too, and Undo brings it back", async () => {
    const { page } = opened;
    const listed = async () => (await store.loci.memories.list({ scopes: ["user:bob"] })).memories.length;
    await opened.goTo(`#/memories?scope=user%3Abob&id=${bicycle.id}`);
    await page.getByRole("button", { name: "Forget" }).press("Enter");
    await page.getByRole("button", { name: "Undo" }).waitFor();
    expect(await listed()).toBe(0);
    // It keeps its place, struck out.
    await expect.poll(() => page.locator(".row-gone").allTextContents()).toEqual(["Bob has a red bicycle."]);
    await page.getByRole("button", { name: "Undo" }).press("Enter");
    await expect.poll(listed).toBe(1);
    await expect.poll(() => page.locator(".row-gone").count()).toBe(0);
    expect(await page.locator(".row-text").allTextContents()).toEqual(["Bob has a red bicycle."]);
  });

  test("a memory is edited by keys, field by field, and Undo takes it back", async () => {
    const { page } = opened;
    const form = page.getByRole("form", { name: "Edit" });
    const { memories } = store.loci;
    const { id } = await memories.remember({ text: "The lamp is on.", scope: "team:edit", tags: ["kept"] });
    await opened.goTo(`#/memories?scope=team%3Aedit&id=${id}`);
    await page.getByRole("button", { name: "Edit" }).press("Enter");
    expect(await page.getByRole("button", { name: "Save" }).isDisabled()).toBe(true);
    await form.getByLabel("Text").fill("The lamp is off.");
    await form.getByLabel("Importance").fill("0.83");
    await form.getByLabel("Category").fill("decision");
    await form.getByLabel("Slot").fill("lamp");
    await form.getByLabel("True until").fill("2031-05-04T03:02:01");
    await form.getByLabel("Pinned").check();
    await page.getByRole("button", { name: "Save" }).press("Enter");
    await expect.poll(() => page.locator(".detail-text").textContent()).toBe("The lamp is off.");
    const changed = {
      importance: 0.83,
      category: "decision",
      slot: "lamp",
      isPinned: true,
      tags: ["kept"],
      version: 2,
    };
    expect(await memories.get(id)).toMatchObject({ ...changed, validTo: new Date("2031-05-04T03:02:01").getTime() });
    await expect.poll(() => page.locator(".row-text").allTextContents()).toEqual(["The lamp is off."]);
    await page.getByRole("button", { name: "Undo" }).press("Enter");
    await expect.poll(async () => (await memories.get(id)).text).toBe("The lamp is on.");
    expect(await memories.get(id)).toMatchObject({ category: "fact", importance: 0.7, version: 3 });
  });

  test("who edits what somebody else has changed meanwhile sees both texts", async () => {
    const { page } = opened;
    const form = page.getByRole("form", { name: "Edit" });
    const { memories } = store.loci;
    const { id, etag } = await memories.remember({ text: "The car is red.", scope: "team:edit" });
    await opened.goTo(`#/memories?id=${id}`);
    await page.getByRole("button", { name: "Edit" }).click();
    await form.getByLabel("Text").fill("The car is blue.");
    await memories.update(id, { text: "The car is green.", importance: 0.8 }, { etag });
    await page.getByRole("button", { name: "Save" }).click();
    const conflict = page.locator(".conflict");
    await expect.poll(() => conflict.textContent()).toContain("VERSION_CONFLICT");
    expect(await conflict.locator(".text").first().textContent()).toBe("The car is green.");
    expect(await conflict.locator("ins").allTextContents()).toEqual(["blue"]);
    expect((await memories.get(id)).text).toBe("The car is green.");
    await page.getByRole("button", { name: "Save mine over it" }).click();
    await expect.poll(async () => (await memories.get(id)).text).toBe("The car is blue.");
    // What was not typed here is as they left it.
    expect((await memories.get(id)).importance).toBe(0.8);
  });

  test("what somebody else has changed meanwhile is not forgotten", async () => {
    const { page } = opened;
    await opened.goTo(`#/memories?scope=user%3Abob&id=${bicycle.id}`);
    await page.locator(".detail-text").waitFor();
    const { etag } = await store.loci.memories.get(bicycle.id);
    await store.loci.memories.update(bicycle.id, { text: "Bob has a blue bicycle." }, { etag });
    await page.getByRole("button", { name: "Forget" }).click();
    await expect.poll(() => page.locator(".detail .failure").textContent()).toContain("VERSION_CONFLICT");
    expect((await store.loci.memories.get(bicycle.id)).text).toBe("Bob has a blue bicycle.");
  });

  test("a server that goes away is said, and what comes back is shown", async () => {
    const { page } = opened;
    await opened.goTo("#/memories?scope=user%3Abob");
    await page.locator(".row").first().waitFor();
    await store.stopServer();
    await opened.goTo("#/memories?scope=user%3Aalice");
    await page.getByText("The server does not answer. It is tried again").waitFor();
    await store.startServer();
    await expect.poll(() => page.locator(".row-text").allTextContents()).toEqual(["Alice prefers the dark theme."]);
    await expect.poll(() => page.locator(".banner").count()).toBe(0);
  });

  test("a tab without a session says how to get one, and its token is in no address", async () => {
    const other = await opened.page.context().newPage();
    await other.goto(`http://127.0.0.1:${opened.gateway.port}/#t=${"a".repeat(43)}`);
    await other.getByText("This page needs a fresh link.").waitFor();
    expect(other.url()).not.toContain("#t=");
    await other.close();
  });
});
