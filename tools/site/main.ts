// Makes the site: npm run site.
import { join } from "node:path";
import { buildSite } from "./build-site.ts";
import { brokenLinks } from "./check-links.ts";

const root = join(import.meta.dirname, "../..");
const target = join(root, "site");
await buildSite(root, target);
const { broken, pages } = brokenLinks(target);
for (const link of broken) console.error(`broken: ${link}`);
console.log(`site: ${pages} pages in ${target}, ${broken.length} broken links`);
process.exitCode = broken.length > 0 ? 1 : 0;
