import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openLoci, type OpenLociOptions } from "@loci/loci";
import { missingNativePostgres, openTestDatabase } from "@loci/test-postgres";
import { expect, test } from "vitest";
import { runUntilKilled } from "./run-until-killed.ts";
import { serviceLedger } from "./service-ledger.ts";

/** Many more in the nightly run. */
const wanted = Number(process.env["LOCI_CHAT_TURNS"] ?? 120);
const key = { scope: "user:ann", id: "long" } as const;

interface Line {
  readonly turn?: number;
  readonly content?: string;
  readonly isShown?: boolean;
  readonly at?: number;
  readonly heap?: number;
}

type Options = Omit<OpenLociOptions, "tenant">;

/** One server that talks, killed after some turns unless it is to live. @returns what it has said */
function talk(options: Options, name: string, afterLines = Infinity): Promise<readonly Line[]> {
  const load = { options, name, turns: wanted };
  return runUntilKilled("chat-until-told.ts", load, { afterLines, withinMilliseconds: 20 });
}

test.skipIf(missingNativePostgres() !== undefined)(
  `two servers talk in one session for ${wanted} turns, one of them killed again and again: nothing is lost, memory stays flat`,
  { timeout: 7_200_000 },
  async () => {
    await using database = await openTestDatabase("native");
    const parent = await mkdtemp(join(tmpdir(), "loci-long-chat-"));
    const ledger = await serviceLedger(database, 3);
    const options = (name: string): Options => ({ dataDirectory: join(parent, name), ledger });
    const living = { isOver: false };
    const killed: Line[] = [];
    let kills = 0;
    const dying = (async () => {
      // At least once, however quick the other one is.
      do {
        const said = await talk(options("dying"), `dying-${kills}`, 4 + Math.floor(Math.random() * wanted * 0.1));
        killed.push(...said);
        kills++;
      } while (!living.isOver);
    })();
    const survivor = await talk(options("living"), "living").finally(() => (living.isOver = true));
    await dying;
    const acknowledged = [...survivor, ...killed].filter(({ turn }) => turn !== undefined);
    expect(acknowledged.filter(({ isShown }) => isShown !== true)).toEqual([]);
    await using loci = await openLoci({ tenant: "local", index: "memory", ...options("living") });
    const contents = new Map<number, string>();
    for (let pageToken: string | undefined; ;) {
      const page = await loci.sessions.turns(key, { pageSize: 1_000, pageToken });
      for (const { number, content } of page.turns) contents.set(number, content);
      pageToken = page.nextPageToken;
      if (pageToken === undefined) break;
    }
    expect(contents.size).toBeGreaterThanOrEqual(wanted);
    expect(Math.max(...contents.keys())).toBe(contents.size);
    // Each where it was acknowledged, and none twice.
    expect(acknowledged.filter(({ turn, content }) => contents.get(turn ?? 0) !== content)).toEqual([]);
    expect(new Set(contents.values()).size).toBe(contents.size);
    const heaps = survivor.flatMap(({ at, heap }) => (at === undefined || heap === undefined ? [] : [heap]));
    const grown = ((heaps.at(-1) ?? 0) - (heaps[Math.floor(heaps.length / 4)] ?? 0)) / 2 ** 20;
    console.log(`${contents.size} turns, ${kills} kills, the survivor's heap grew by ${grown.toFixed(1)} MiB`);
    // What is compiled meanwhile, and what is kept warm of one session: some 2 kB a turn.
    expect(grown).toBeLessThan(8 + wanted / 512);
    await loci.close();
    await rm(parent, { recursive: true });
  },
);
