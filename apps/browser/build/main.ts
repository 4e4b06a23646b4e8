// Makes the page for the package. Run by `npm run build`.
import { join } from "node:path";
import { buildPage, mostLoadedBytes } from "./page.ts";

const bytes = await buildPage(join(import.meta.dirname, "../dist/page"));
console.log(`page: ${bytes} of at most ${mostLoadedBytes} bytes`);
