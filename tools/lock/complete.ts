// Adds what package-lock.json lacks. Run by `npm run lock` after every change of dependencies.
import { readFileSync, writeFileSync } from "node:fs";
import { type LockEntries, missingEntries } from "./platform-packages.ts";

const file = new URL("../../package-lock.json", import.meta.url);
const lock = JSON.parse(readFileSync(file, "utf8")) as { packages: LockEntries };
const missing = missingEntries(lock.packages);

const packages = Object.entries({ ...lock.packages, ...missing }).toSorted(([a], [b]) => a.localeCompare(b, "en"));
writeFileSync(file, `${JSON.stringify({ ...lock, packages: Object.fromEntries(packages) }, null, 2)}\n`);
console.log(`lock: ${Object.keys(missing).length} platform packages added`);
