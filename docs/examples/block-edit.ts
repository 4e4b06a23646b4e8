import { connectLocalLoci } from "@loci/client";

await using loci = connectLocalLoci(); // the server that has LOCI_DATA_DIR open, with the key it keeps there
const human = { owner: "user:alice", label: "human" } as const;
await loci.blocks.create({ ...human, values: { name: "Alice" } });

const { id } = await loci.blocks.propose({
  ...human,
  reason: "She asked for short answers",
  operations: [
    { op: "append", field: "preferences", value: "short answers" },
    { op: "set", field: "name", value: "Alicia" },
  ],
});

const hunks = [0]; // the first operation; the other one is rejected with that
const { preview, conflict } = await loci.blocks.getEdit({ id, hunks });
if (preview === undefined) throw new Error(conflict);
console.log(preview.diff.map(({ field }) => field).join(", ")); // what would change: show it to whoever decides
const { baseVersion, contentHash } = preview;
await loci.blocks.approve({ id, hunks, baseVersion, contentHash });

console.log((await loci.blocks.get(human)).text);
