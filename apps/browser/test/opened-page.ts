import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, type BrowserContext, chromium as playwright, type Page, type Request } from "playwright-core";
import { buildPage } from "../build/page.ts";
import { type Gateway, type GatewayOptions, startGateway } from "../src/gateway/index.ts";
import { chromium } from "./chromium.ts";
import type { ServedStore } from "./served-store.ts";

/** The page in a browser, with all that must never happen in it. */
export class OpenedPage implements AsyncDisposable {
  readonly gateway: Gateway;
  readonly page: Page;
  /** Errors of scripts, reports of the browser's rules, and requests that leave the page's address. */
  readonly trouble: string[];
  /** What was asked and is not answered yet. */
  readonly #asked = new Set<Request>();
  readonly #browser: Browser;
  readonly #folder: string;

  private constructor(parts: { gateway: Gateway; page: Page; trouble: string[]; browser: Browser; folder: string }) {
    ({ gateway: this.gateway, page: this.page, trouble: this.trouble } = parts);
    this.#browser = parts.browser;
    this.#folder = parts.folder;
    this.page.on("request", (request) => request.url().endsWith("/WatchMemories") || this.#asked.add(request));
    for (const end of ["requestfinished", "requestfailed"] as const)
      this.page.on(end as "requestfinished", (request) => this.#asked.delete(request));
  }

  static async open(store: ServedStore, options: Partial<GatewayOptions> = {}): Promise<OpenedPage> {
    const folder = mkdtempSync(join(tmpdir(), "loci-page-"));
    await buildPage(join(folder, "page"));
    const gateway = await startGateway({
      locateServer: () => Promise.resolve(store.connectOptions),
      pageFolder: join(folder, "page"),
      ...options,
    });
    const browser = await playwright.launch({ executablePath: chromium ?? "", args: ["--no-sandbox"] });
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const trouble: string[] = [];
    const page = await watched(context, gateway.port, trouble);
    const isForm = options.signIn === "key";
    await page.goto(isForm ? gateway.url : gateway.createLink());
    await page.locator(isForm ? ".sign-in" : ".top-bar").waitFor();
    return new OpenedPage({ gateway, page, trouble, browser, folder });
  }

  /** Waits until nothing is asked any more, but for the changes that the page follows as long as it is open. */
  async settled(): Promise<void> {
    for (let quiet = 0; quiet < 4; quiet = this.#asked.size === 0 ? quiet + 1 : 0) await this.page.waitForTimeout(75);
    await this.page.locator(".waiting").first().waitFor({ state: "detached" });
  }

  /** Goes to a place of the page, as a link does. */
  async goTo(fragment: string): Promise<void> {
    await this.page.evaluate(`location.hash = ${JSON.stringify(fragment)}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser.close();
    await this.gateway[Symbol.asyncDispose]();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

async function watched(context: BrowserContext, port: number, trouble: string[]): Promise<Page> {
  const page = await context.newPage();
  page.on("pageerror", (error) => trouble.push(`error: ${error.message}`));
  page.on("dialog", (dialog) => {
    trouble.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("console", (message) => {
    if (/Content.Security.Policy|Trusted|Refused to/i.test(message.text())) trouble.push(`report: ${message.text()}`);
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(`http://127.0.0.1:${port}/`)) trouble.push(`request: ${request.url()}`);
  });
  return page;
}
