import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { beforeAll, describe, expect, test } from "vitest";
import { chromium, needsChromium } from "./chromium.ts";
import { OpenedPage } from "./opened-page.ts";
import { endsWithoutTrouble } from "./page-end.ts";
import { ServedStore } from "./served-store.ts";

describe.skipIf(chromium === undefined)(`signing in with a key, in a browser${needsChromium}`, () => {
  let store: ServedStore;
  let opened: OpenedPage;
  let key: string;

  beforeAll(async () => {
    store = await ServedStore.start();
    await store.loci.memories.remember({ text: "Billing uses PostgreSQL 17.", scope: "project:billing" });
    const { address, apiKey = "" } = store.connectOptions;
    key = apiKey;
    // The gateway has no key of its own: each caller brings one.
    opened = await OpenedPage.open(store, { signIn: "key", locateServer: () => Promise.resolve({ address }) });
  }, 300_000);
  endsWithoutTrouble(() => ({ opened, store }));

  const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  const looks = (["light", "dark"] as const).flatMap((scheme) => [1280, 320].map((width) => ({ scheme, width })));
  test.each(looks)("axe finds nothing in the form in $scheme at $width pixels", async ({ scheme, width }) => {
    const { page } = opened;
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
    await page.setViewportSize({ width, height: 700 });
    await page.evaluate(axe);
    const found = await page.evaluate<{ readonly id: string }[]>("axe.run(document).then((found) => found.violations)");
    expect(found.map(({ id }) => id)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
  });

  test("a key that opens nothing is said, and goes away", async () => {
    const { page } = opened;
    await page.keyboard.type("<img src=x onerror=alert(1)>");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.locator("[role=alert]").textContent()).toContain("does not know this key");
    expect(await page.locator("input").inputValue()).toBe("");
    expect(await page.evaluate("document.activeElement.name")).toBe("key");
  });

  test("by keys alone somebody signs in, looks, and leaves; the key stays nowhere", async () => {
    const { page } = opened;
    await page.keyboard.type(key);
    await page.keyboard.press("Enter");
    await page.locator(".row").first().waitFor();
    const kept = await page.evaluate<string>("JSON.stringify(sessionStorage) + document.cookie + location.href");
    expect(kept).toContain("loci-session");
    expect(kept).not.toContain(key);
    expect(await page.content()).not.toContain(key);
    await page.reload();
    await page.locator(".row").first().waitFor();
    await page.getByRole("button", { name: "Sign out" }).press("Enter");
    await page.locator(".sign-in").waitFor();
    expect(await page.evaluate("sessionStorage.length")).toBe(0);
    const [, token = ""] = /"token":"([\w-]{43})"/.exec(kept.replaceAll("\\", "")) ?? [];
    expect(token).toHaveLength(43);
    const list = async (): Promise<number> => {
      const answer = await fetch(`${opened.gateway.url}/api/loci.v1.MemoryService/ListMemoryScopes`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
        body: "{}",
      });
      return answer.status;
    };
    await expect.poll(list).toBe(401);
  });

  const signIn = async (): Promise<void> => {
    const { page } = opened;
    await page.locator("input[name=key]").fill(key);
    await page.keyboard.press("Enter");
    await page.locator(".top-bar").waitFor();
  };

  test("whoever signs in next finds nothing of the one before: no question, no pinned run", async () => {
    const { page } = opened;
    await signIn();
    await opened.goTo("#/why?q=which+database");
    await page.getByRole("button", { name: "Pin this run" }).click();
    await page.locator(".pinned").waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.locator(".sign-in").waitFor();
    await expect.poll(() => page.url()).not.toContain("database");
    await signIn();
    await opened.goTo("#/why?q=which+database");
    await page.getByRole("button", { name: "Pin this run" }).waitFor();
    expect(await page.locator(".pinned").count()).toBe(0);
  });

  test("a session that ended by itself says so, and the next one goes on where it was, without what the page held", async () => {
    const { page } = opened;
    await page.getByRole("button", { name: "Pin this run" }).click();
    await page.locator(".pinned").waitFor();
    // As half an hour without a call does.
    await page.evaluate(
      `fetch("/session", { method: "DELETE", headers: { authorization: "Bearer " + JSON.parse(sessionStorage["loci-session"]).token } })`,
    );
    await page.getByRole("button", { name: "Recall" }).click();
    await opened.goTo("#/why?q=which+database+billing");
    await page.locator(".sign-in").waitFor();
    expect(await page.locator(".session-over [role=status]").textContent()).toContain("The session is over");
    await signIn();
    await page.getByRole("button", { name: "Pin this run" }).waitFor();
    expect(page.url()).toContain("which+database+billing");
    expect(await page.locator(".pinned").count()).toBe(0);
  });
});
