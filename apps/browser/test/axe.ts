import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** What is in the way of people with a reader of screens, or who see little: each rule with the first element that breaks it. */
export async function violations(page: Page): Promise<readonly (readonly [rule: string, element: string])[]> {
  await page.evaluate(axe);
  const found = await page.evaluate<Violation[]>("axe.run(document).then((results) => results.violations)");
  return found.map(({ id, nodes }) => [id, nodes[0]?.html ?? ""]);
}
