/**
 * Remembers and forgets in turn, with a batch and an upkeep among it, and says on a line each what was acknowledged. Ends without
 * closing anything.
 */
import { type IndexChoice, openLoci } from "@loci/loci";

const [dataDirectory = "", index = "embedded", calls = "0"] = process.argv.slice(2);
const scope = "user:alice";
const textOf = (number: number): string => `The pears of orchard${number} are ripe.`;
const say = (told: object): void => void process.stdout.write(`${JSON.stringify(told)}\n`);

const loci = await openLoci({ tenant: "acme", dataDirectory, index: index as IndexChoice });
for (let call = 0; call < Number(calls); call++) {
  if (call % 7 === 6) {
    const texts = [0, 1, 2].map((offset) => textOf(1_000 * call + offset));
    const memories = await loci.memories.rememberMany(texts.map((text) => ({ text, scope })));
    for (const { id, text } of memories) say({ remembered: id, text });
  } else {
    const { id, text } = await loci.memories.remember({ text: textOf(call), scope });
    say({ remembered: id, text });
    if (call % 5 === 4) {
      say({ forgetting: id });
      await loci.memories.forget(id);
      say({ forgotten: id });
    }
  }
  if (call % 4 === 0) await loci.recall({ query: textOf(call), scopes: [scope] });
  if (call === Math.floor(Number(calls) / 2)) await loci.maintenance.compact();
}
process.kill(process.pid, "SIGKILL");
