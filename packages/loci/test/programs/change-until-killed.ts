/**
 * Opens a data directory, recalls by word what is said to be there, compares ledger and indexes, and then changes memories
 * until it is killed. Prints a line before each change of a memory that is there, and one when a change was acknowledged.
 */
import { readFileSync } from "node:fs";
import { openLoci } from "@loci/loci";
import { keepChanging } from "./keep-changing.ts";

/** A memory, and the word that it alone has. */
interface Known {
  readonly id: string;
  readonly word: string;
}

const [dataDirectory = "", cycle = "0", knownFile = ""] = process.argv.slice(2);
const scopes = ["user:alice"] as const;
const loci = await openLoci({ tenant: "local", dataDirectory });

const known = JSON.parse(readFileSync(knownFile, "utf8")) as readonly Known[];
for (const { id, word } of known) {
  const { hits } = await loci.recall({ query: `Where is ${word}?`, scopes });
  if (hits[0]?.memory.id !== id) say({ missing: id });
}
// What the former process had committed and not applied is found all the same; now it is applied.
const { findings } = await loci.maintenance.verify();
say({ checked: known.length, findings: findings.length });

let count = 0;
const change = async (): Promise<never> => keepChanging(loci, { scope: "user:alice", cycle, next: () => count++, say });
// Several at once share a commit, and are applied together.
await Promise.all([change(), change(), change()]);

function say(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
