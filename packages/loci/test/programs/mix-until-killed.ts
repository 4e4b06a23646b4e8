/**
 * Opens Loci, looks for what must be there and for what must not, and then writes, erases, moves its indexes and makes
 * backups, all at once, until it is killed. Prints a line of JSON before and after whatever may be cut off.
 */
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { openLoci } from "@loci/loci";
import type { MixedLoad, MixedLoadLine } from "../mixed-load.ts";
import { keepChanging } from "./keep-changing.ts";

const { options, cycle, known, gone, places, backups } = JSON.parse(process.env["LOCI_TEST_LOAD"] ?? "") as MixedLoad;
const scope = "user:alice";
const doomed = "user:mallory";
const loci = await openLoci({ tenant: "local", ...options });

for (const { id, word } of known) {
  const { hits } = await loci.recall({ query: `Where is ${word}?`, scopes: [scope] });
  if (hits[0]?.memory.id !== id) say({ missing: id });
}
for (const word of gone) {
  const { hits } = await loci.recall({ query: `Where is ${word}?`, scopes: [scope, doomed], fallback: "none" });
  if (hits.some(({ memory }) => memory.text.includes(`${word}.`))) say({ returned: word });
}
const { findings } = await loci.maintenance.verify();
say({ checked: known.length, findings: findings.map((finding) => JSON.stringify(finding)) });

let count = 0;
const change = async (): Promise<never> => keepChanging(loci, { scope, cycle, next: () => count++, say });
await Promise.all([change(), change(), erase(), move(), backUp()]);

async function erase(): Promise<never> {
  for (;;) {
    const words: string[] = [];
    for (let number = 0; number < 3; number++) {
      const word = `canary${cycle}x${count++}`;
      await loci.memories.remember({ text: `The secret is ${word}.`, scope: doomed });
      words.push(word);
    }
    await loci.maintenance.erase({ scope: doomed });
    say({ erased: words });
  }
}

async function move(): Promise<void> {
  // Erasures take turns with moves: in every other process they have the indexes to themselves.
  if (cycle % 2 === 1) return;
  for (let turn = cycle; ; turn++) {
    const to = places[turn % places.length] as string;
    await loci.maintenance.reindex({ to });
    say({ moved: to });
    // Erasures take turns with moves.
    await setTimeout(100);
  }
}

async function backUp(): Promise<void> {
  if (backups === undefined) return;
  for (let number = 0; ; number++) {
    const directory = join(backups, `${cycle}-${number}`);
    say({ backupBegun: directory });
    await loci.maintenance.backup({ directory });
    say({ backup: directory });
  }
}

function say(line: MixedLoadLine): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
