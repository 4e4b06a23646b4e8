/**
 * Tells a human block one thing after the other, so that each takes the place of an older one, which becomes a memory, and now
 * and then all of it is rotated. Prints what was acknowledged, until it is killed.
 */
import { openLoci, type OpenLociOptions } from "@loci/loci";

const { options, cycle } = JSON.parse(process.env["LOCI_TEST_LOAD"] ?? "") as {
  readonly options: Omit<OpenLociOptions, "tenant">;
  readonly cycle: number;
};
const human = { owner: "user:ann", label: "human" } as const;
const loci = await openLoci({ tenant: "local", index: "memory", ...options });
const known = await loci.blocks.list({ owner: human.owner });
if (known.length === 0) await loci.blocks.create(human);
for (let number = 0; ; number++) {
  const fact = `Fact ${cycle}x${number} about Ann.`;
  await loci.blocks.profile.update({ owner: human.owner, update: { call: "learnFact", text: fact } });
  process.stdout.write(`${JSON.stringify({ fact })}\n`);
  if (number % 5 !== 4) continue;
  const note = `Note ${cycle}x${number} ${"of many words ".repeat(40)}`.trim();
  await loci.blocks.profile.update({ owner: human.owner, update: { call: "addContext", text: note } });
  process.stdout.write(`${JSON.stringify({ note })}\n`);
}
