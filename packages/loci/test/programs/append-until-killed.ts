/**
 * Goes on with a conversation until it is killed, each time from the turn that it was told last. Prints the number of the last
 * turn after each append.
 */
import { openLoci } from "@loci/loci";

const [dataDirectory = "", told = "0"] = process.argv.slice(2);
const key = { scope: "user:alice", id: "talk" } as const;
const loci = await openLoci({ tenant: "local", dataDirectory, index: "memory" });
if (told === "0") await loci.sessions.create({ ...key, rememberTurns: true }, { requestId: "begin" });

// What was on its way when the last process was killed may be there or not: the same turns are sent again.
for (let last = Number(told); ;) {
  const turns = [1, 2].map(
    (number) => ({ role: "user", content: `Turn ${last + number}.`, at: last + number }) as const,
  );
  ({ lastTurn: last } = await loci.sessions.append(key, { expectedLast: last, turns }));
  process.stdout.write(`${last}\n`);
}
