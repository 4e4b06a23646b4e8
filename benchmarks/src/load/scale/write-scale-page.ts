// Writes the guide "from one machine to a billion memories" from the figures that `npm run bench:load` has left.
import { readFileSync, writeFileSync } from "node:fs";
import type { LoadReport } from "../load-report.ts";
import { scalePage } from "./scale-page.ts";

const figures = new URL("../../../data/load.json", import.meta.url);
const page = new URL("../../../../docs/guides/from-one-machine-to-a-billion-memories.md", import.meta.url);
writeFileSync(page, scalePage(JSON.parse(readFileSync(figures, "utf8")) as LoadReport));
