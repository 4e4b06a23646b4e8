import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

const browser = join(import.meta.dirname, "../../browser");

/** Builds the page of the memory browser in a checkout that was not built: what serves it takes it from there. */
export function buildMissingPage(): void {
  if (existsSync(join(browser, "dist/page/index.html"))) return;
  const flags = ["--conditions=@loci/source", "--disable-warning=ExperimentalWarning"];
  execFileSync(process.execPath, [...flags, join(browser, "build/main.ts")], { cwd: browser, stdio: "pipe" });
}
