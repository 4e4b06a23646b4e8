/**
 * Talks in a session that another process talks in as well, a turn of the user and one of a made-up model at a time, until the
 * session has so many turns or this process is killed. Prints what was acknowledged, and now and then what it holds.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { LociError, openLoci, type OpenLociOptions, type TurnInput } from "@loci/loci";

const { options, name, turns } = JSON.parse(process.env["LOCI_TEST_LOAD"] ?? "") as {
  readonly options: Omit<OpenLociOptions, "tenant">;
  readonly name: string;
  readonly turns: number;
};
const key = { scope: "user:ann", id: "long" } as const;
setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
const loci = await openLoci({ tenant: "local", index: "memory", ...options });
await loci.sessions.create({ ...key, capture: "off" }).catch((error: unknown) => {
  if (!LociError.is(error) || error.reason !== "SESSION_EXISTS") throw error;
});
let { lastTurn: last } = await loci.sessions.get(key);
for (let number = 0; last < turns; number++) {
  const question = `Question ${number} of ${name}: what about the ferry to Oslo?`;
  if (!(await said({ role: "user", content: question }))) continue;
  const answer = `Answer ${number} of ${name}.`;
  while (!(await said({ role: "assistant", content: answer })));
  if (number % 50 !== 0) continue;
  collect();
  process.stdout.write(`${JSON.stringify({ at: last, heap: process.memoryUsage().heapUsed })}\n`);
}
await loci.close();

/** @returns false when somebody else was quicker */
async function said(turn: TurnInput): Promise<boolean> {
  try {
    const append = { expectedLast: last, turns: [turn] };
    const context = { query: "What now?", window: { scaleTo: 2_000 }, recordUsage: "none" } as const;
    const { appended, context: shown } = await loci.sessions.appendAndAssemble(key, append, context);
    last = appended.lastTurn;
    const isShown = shown.text.includes(turn.content);
    process.stdout.write(`${JSON.stringify({ turn: last, content: turn.content, isShown })}\n`);
    return true;
  } catch (error) {
    if (!LociError.is(error) || error.reason !== "TURN_CONFLICT") throw error;
    last = Number(error.details?.["lastTurn"]);
    return false;
  }
}
