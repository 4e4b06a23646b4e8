/**
 * Has as many files open as it may, but for some, at every step of using a data directory. Tells what came of it as one line
 * of JSON. Run with a low `ulimit -n`.
 */
import { LociError, openLoci } from "@loci/loci";
import { useUp } from "./use-up-files.ts";

const [dataDirectory = ""] = process.argv.slice(2);
const scope = "global";
const refusals: { readonly when: string; readonly reason: string; readonly text: string }[] = [];
const acknowledged: string[] = [];

type Opened = Awaited<ReturnType<typeof open>>;

const open = () =>
  openLoci({
    tenant: "local",
    dataDirectory,
    reportProblem: (error, activity) => refuse(activity, error),
  });

function refuse(when: string, error: unknown): void {
  if (LociError.is(error))
    refusals.push({ when, reason: error.reason, text: `${error.message} ${error.advice ?? ""}` });
  else refusals.push({ when, reason: "none", text: String(error) });
}

async function attempt(when: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    refuse(when, error);
  }
}

async function remember(loci: Opened, text: string): Promise<void> {
  const { id } = await loci.memories.remember({ text, scope });
  acknowledged.push(id);
}

// What is only loaded when it is used first is loaded now.
{
  await using loci = await open();
  await remember(loci, "The first note.");
  await loci.recall({ query: "note", scopes: [scope] });
  await loci.maintenance.compact();
}
let opened = 0;
for (let free = 0; free <= 14; free++) {
  const release = useUp(free);
  await attempt(`opening with ${free} left`, async () => {
    await (await open()).close();
    opened++;
  });
  release();
}
for (const free of [0, 1, 3, 5, 8]) {
  await using loci = await open();
  const release = useUp(free);
  for (let number = 0; number < 5; number++)
    await attempt(`remembering with ${free} left`, () => remember(loci, `Note ${number} of round ${free}.`));
  await attempt(`recalling with ${free} left`, () => loci.recall({ query: "note", scopes: [scope] }));
  await attempt(`compacting with ${free} left`, () => loci.maintenance.compact());
  release();
  // The same directory, not opened anew.
  await remember(loci, `Note after round ${free}.`);
  await loci.settled();
}
await using loci = await open();
const { counts, findings } = await loci.maintenance.verify();
const { memories } = await loci.memories.list({ scopes: [scope], pageSize: 1_000 });
const listed = memories.map(({ id }) => id);
process.stdout.write(JSON.stringify({ refusals, acknowledged, listed, opened, rows: counts["rows"], findings }));
