// Checks the imports of the whole workspace against the table in allowed.ts.
import { resolve } from "node:path";
import { findViolations } from "./find-violations.ts";

const root = resolve(process.argv[2] ?? `${import.meta.dirname}/../..`);
const { violations, modules, unread, unlisted } = await findViolations(root);

const complaints = [
  ...violations.map(({ rule, from, to }) => `${rule}: ${from} -> ${to}`),
  ...unread.map((folder) => `packages/${folder}: none of its source files was read`),
  ...unlisted.map((folder) => `packages/${folder}: no row in tools/arrows/allowed.ts says what it may import`),
  ...(modules === 0 ? ["no source file was read"] : []),
];
for (const complaint of complaints) console.error(complaint);
console.log(`arrows: ${modules} modules read, ${complaints.length} complaints`);
if (complaints.length > 0) process.exitCode = 1;
