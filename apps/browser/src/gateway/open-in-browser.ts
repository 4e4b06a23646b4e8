import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { linkMilliseconds } from "./browser-sessions.ts";

const openers: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ["open"],
  win32: ["explorer.exe"],
};

/**
 * Opens a link in the browser of this user, by a file that leads there: the words of a command are seen by every user of the machine,
 * a file of mode 0600 is not.
 *
 * @returns whether there is a program that opens files
 */
export async function openInBrowser(link: string): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), "loci-browse-"));
  const file = join(folder, "open.html");
  writeFileSync(file, redirectTo(link), { mode: 0o600, flag: "wx" });
  const [program = "xdg-open", ...words] = openers[process.platform] ?? [];
  const isOpened = await new Promise<boolean>((resolve) => {
    const child = spawn(program, [...words, pathToFileURL(file).href], { detached: true, stdio: "ignore" });
    child.once("error", () => resolve(false));
    child.once("spawn", () => resolve(true));
    child.unref();
  });
  setTimeout(() => rmSync(folder, { recursive: true, force: true }), linkMilliseconds).unref();
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return isOpened;
}

/** @param link of this process: there is nothing in it that HTML reads otherwise */
export function redirectTo(link: string): string {
  return `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0;url=${link}"><title>Loci</title>\n`;
}
