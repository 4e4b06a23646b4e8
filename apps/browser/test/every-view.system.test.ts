import type { Memory } from "@loci/client";
import { beforeAll, describe, expect, test } from "vitest";
import { violations } from "./axe.ts";
import { chromium, needsChromium } from "./chromium.ts";
import { hostileStrings } from "./hostile-strings.ts";
import { OpenedPage } from "./opened-page.ts";
import { endsWithoutTrouble } from "./page-end.ts";
import { ServedStore } from "./served-store.ts";

/** So many of the hostile memories are opened one by one. The nightly run opens all. */
const mostOpened = Number(process.env["LOCI_HOSTILE_STRINGS"] ?? 40);
/** Whether every scheme is looked at in every width. */
const showsEveryLook = process.env["LOCI_EVERY_LOOK"] === "1";

/** Every element that the page makes. What is not here came out of a string. */
const ownElements: ReadonlySet<string> = new Set(
  `html head meta title link script body div noscript header nav a span svg rect circle path button main h1 h2 h3 form label input
  select option p bdi section dl dt dd ol ul li del ins time strong pre dialog kbd details summary table thead tbody tfoot tr th td
  fieldset legend output q g text textarea article blockquote`.split(/\s+/),
);

const question = encodeURIComponent("What was said about the theme?");
const views = (id: string, capture: string, receipt: string): readonly (readonly [string, string])[] => [
  ["memories", "#/memories"],
  ["one memory", `#/memories?id=${id}`],
  ["nothing found", "#/memories?find=zzzz"],
  ["a wrong filter", "#/memories?where=importance+%3E+high"],
  ["why, nothing asked", "#/why"],
  ["why", `#/why?q=${question}&expected=${id}&profile=own&asOf=2030-01-01T00%3A00`],
  ["review", "#/review"],
  ["captures", "#/captures"],
  ["one capture", `#/captures?id=${capture}`],
  ["health", "#/health"],
  ["window, nothing asked", "#/window"],
  ["a receipt", `#/window?receipt=${receipt}`],
  ["window", `#/window?q=${question}&system=Be+brief.`],
];

describe.skipIf(chromium === undefined)(`every view in a browser${needsChromium}`, () => {
  let store: ServedStore;
  let opened: OpenedPage;
  let stored: readonly Memory[];
  let capture: string;
  let receipt: string;

  beforeAll(async () => {
    store = await ServedStore.start();
    const named = hostileStrings.map((text) => {
      // A name has to be short, and of one line, and has to have something in it that can be seen.
      const line = text
        .replaceAll(/[\p{C}\s]+/gu, " ")
        .normalize("NFC")
        .trim();
      return { text, name: Array.from(line).slice(0, 16).join("").trim() || "x" };
    });
    stored = await store.loci.memories.rememberMany(
      named.map(({ text, name }) => ({
        text,
        scope: `user:${name}`,
        slot: name,
        tags: [name],
        metadata: { note: text.slice(0, 2_000) },
        provenance: { sourceId: name, kind: "document" },
      })),
    );
    // Values have one line, and something in it that can be seen.
    const said = hostileStrings.map((text) =>
      text
        .replaceAll(/[\p{C}\s]+/gu, " ")
        .trim()
        .slice(0, 200)
        .trim(),
    );
    const entries = [...new Set(said)].slice(0, 60);
    const owner = stored[0]?.scope ?? "user:nobody";
    await store.loci.blocks.create({ owner, label: "human", values: { name: "Alice" } });
    await store.loci.blocks.propose({
      owner,
      label: "human",
      operations: entries.map((value) => ({ op: "append", field: "preferences", value })),
      reason: hostileStrings.slice(0, 5).join(" "),
    });
    const session = { scope: owner, id: hostileStrings[0] ?? "" } as const;
    await store.loci.sessions.create({ ...session, capture: "off" });
    const turns = hostileStrings
      .slice(0, 60)
      .map((text) => ({ role: "user", content: `I like ${text.slice(0, 2_000)}.` }) as const);
    await store.loci.sessions.append(session, { expectedLast: 0, turns });
    ({ id: capture } = await store.loci.captures.start({ session }));
    await store.loci.captures.wait(capture);
    const asked = { session, query: "What do I like?", recall: { scopes: [owner] }, recordUsage: "kept" } as const;
    for (const model of hostileStrings.slice(0, 30))
      ({ receiptId: receipt = "" } = await store.loci.assemble({ ...asked, model: model.slice(0, 200) }));
    opened = await OpenedPage.open(store);
  }, 300_000);
  endsWithoutTrouble(() => ({ opened, store }));

  async function elements(): Promise<readonly string[]> {
    const names = await opened.page.evaluate<string[]>("[...document.querySelectorAll('*')].map((e) => e.localName)");
    return names.filter((name) => !ownElements.has(name));
  }

  test("nothing in a memory becomes more than text", async () => {
    const { page } = opened;
    expect(hostileStrings).toHaveLength(300);
    await opened.goTo("#/memories");
    await opened.settled();
    for (const _ of hostileStrings.slice(0, 12)) await page.locator(".row-list").press("PageDown");
    expect(await elements()).toEqual([]);
    const step = Math.max(1, Math.floor(stored.length / mostOpened));
    for (const { id, text } of stored.filter((_, index) => index % step === 0)) {
      await opened.goTo(`#/memories?id=${id}`);
      await expect.poll(() => page.locator(".detail .id").textContent()).toBe(id);
      expect(await elements()).toEqual([]);
      const shown = (await page.locator(".detail-text").textContent()) ?? "";
      expect(shown.replaceAll(/\[U\+[0-9A-F]+\]/g, "")).toBe(
        text.replaceAll(/[\u202e\u202c\u2066\u2069\u200b\u2060\u00ad\u{e0041}\u{e0042}]/gu, ""),
      );
    }
  }, 600_000);

  test("nothing in a change of a block becomes more than text", async () => {
    const { page } = opened;
    await opened.goTo("#/review");
    await page.locator(".hunk").first().waitFor();
    await page.locator(".hunk input").nth(1).check();
    await page.locator(".preview").waitFor();
    expect(await elements()).toEqual([]);
    expect(await page.locator(".hunk").count()).toBeGreaterThan(20);
  });

  test("nothing in a capture becomes more than text", async () => {
    const { page } = opened;
    await opened.goTo(`#/captures?id=${capture}`);
    await page.locator(".candidate").first().waitFor();
    await page.getByRole("button", { name: "Dry run" }).click();
    await page.locator(".with-dry-run").first().waitFor();
    expect(await elements()).toEqual([]);
    expect(await page.locator(".candidate").count()).toBeGreaterThan(20);
    expect(await page.locator(".candidates").textContent()).toContain("<script>alert(1)</script>");
  });

  test("nothing in a receipt that the server keeps becomes more than text", async () => {
    const { page } = opened;
    await opened.goTo("#/window");
    await expect.poll(() => page.locator(".kept-receipts li").count()).toBe(30);
    await opened.goTo(`#/window?receipt=${receipt}`);
    await page.locator(".layout-bar").waitFor();
    expect(await elements()).toEqual([]);
  });

  test("nothing in an address becomes more than text", async () => {
    for (const text of hostileStrings.slice(0, mostOpened)) {
      const value = encodeURIComponent(text.slice(0, 2_000));
      for (const place of [
        `#/memories?scope=${value}&find=${value}&category=${value}&id=${value}`,
        `#/memories?where=${value}`,
        `#/why?q=${value}&expected=${value}`,
        `#/why?q=${value}&where=${value}`,
        `#/captures?scope=${value}&state=${value}&id=${value}`,
        `#/window?q=${value}&system=${value}&layout=${value}`,
        `#/window?receipt=${value}&with=${value}`,
        `#/${value}`,
      ])
        await opened.goTo(place);
    }
    await opened.settled();
    expect(await elements()).toEqual([]);
  });

  // Colours hang on the scheme and places on the width, so that two looks show each of both. The nightly run looks at all four.
  const looks = (["light", "dark"] as const).flatMap((scheme) => [1280, 320].map((width) => ({ scheme, width })));
  const looked = showsEveryLook
    ? looks
    : looks.filter(({ scheme, width }) => (scheme === "light") === (width === 1280));
  test.each(looked)("axe finds nothing in $scheme at $width pixels", async ({ scheme, width }) => {
    const { page } = opened;
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
    await page.setViewportSize({ width, height: 800 });
    for (const [name, fragment] of views(stored[0]?.id ?? "", capture, receipt)) {
      await opened.goTo(fragment);
      await opened.settled();
      expect([name, await violations(page)]).toEqual([name, []]);
      // Nothing is cut off to the side.
      const wide =
        "[...document.querySelectorAll('html, .sheet, .detail')].filter((e) => e.scrollWidth > e.clientWidth).length";
      expect([name, await page.evaluate(wide)]).toEqual([name, 0]);
    }
  });
});
