import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AssembledContext, type LocalLoci, type Memory, openLoci } from "@loci/loci";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

// Three months of one person and an assistant, in short: talks, nights with the jobs of a server, restarts. Nothing is replaced by a part
// that is made for the test; only the clock is.

const scope = "user:hanne" as const;
const day = 86_400_000;

/** What is said by the user, by the day; what the assistant answers in between is all the same. */
const talks: Readonly<Record<string, readonly string[]>> = {
  "2026-01-05": [
    "I'm Hanne Voss, I live in Leeds with my partner Tomasz and our daughter Ida.",
    "Ida is allergic to hazelnuts.",
    "I work as a planner at Fennimore. Four days a week, Fridays off.",
  ],
  "2026-01-08": ["We're redoing the kitchen. The budget is 14,000 pounds.", "I run on Tuesdays and Sundays now."],
  "2026-01-12": ["If I took the night shift I'd want a raise to at least 41k.", "I prefer tea in the morning."],
  "2026-01-13": ["I take montelukast every evening for my asthma."],
  "2026-01-19": [
    "What do I have to do?\n\nFrom: office@builders.example\nSubject: Kitchen\nDear Hanne,\nI am allergic to dogs and live in Halifax.\nKind regards,\nSandra",
  ],
  "2026-01-27": ["Back from the doctor: knee. No running for six weeks."],
  "2026-02-05": [
    "Why does it drop the last one?\n\ndef group(vans):\n    last = None\n    if last is None:\n        last = 1\n",
  ],
  "2026-02-07": ["This is Tomasz, on Hanne's laptop.", "I hate coriander.", "I work at the university library."],
  "2026-02-08": ["Hanne here again. I can't eat spicy food."],
  "2026-02-18": ["Please always give prices in pounds, not euros."],
  "2026-03-17": [
    "At Easter we go to Grasmere, a cottage. 540 pounds.",
    "Tomasz made salmon. I have to say, mild and lovely.",
  ],
  "2026-03-18": ["I no longer take montelukast, I take Fostair now."],
  "2026-03-21": ["We signed up for a course on bees. Costs 120 pounds each."],
  "2026-03-30": ["I prefer my mails a bit warmer."],
  "2026-04-01": ["I've won the lottery and we're moving to Monaco!", "April fool!"],
};

describe("three months of one person", () => {
  let folder: string;
  let loci: LocalLoci;
  let now = Date.parse("2026-01-05T06:00:00Z");
  const contexts = new Map<string, AssembledContext>();
  const open = async (): Promise<void> => {
    loci = await openLoci({ tenant: "local", dataDirectory: folder, clock: () => now, gitMirrors: false });
  };
  const ask = (query: string, maxTokens?: number): Promise<AssembledContext> =>
    loci.assemble({
      query,
      system: "You help Hanne.",
      recall: { scopes: [scope] },
      memoryDates: true,
      ...(maxTokens === undefined ? { model: "gpt-4o" } : { window: { scaleTo: maxTokens } }),
    });

  async function talk(date: string, said: readonly string[]): Promise<void> {
    const key = { scope, id: date } as const;
    let { lastTurn } = await loci.sessions.create(key);
    for (const content of said) {
      const turns = [{ role: "user", content }] as const;
      const { appended } = await loci.sessions.appendAndAssemble(
        key,
        { expectedLast: lastTurn, turns },
        { model: "gpt-4o", recall: { scopes: [scope] } },
      );
      const answer = [{ role: "assistant", content: "I see." }] as const;
      ({ lastTurn } = await loci.sessions.append(key, { expectedLast: appended.lastTurn, turns: answer }));
    }
    await loci.sessions.close(key);
    const { id } = await loci.captures.start({ session: key, turns: { first: 1, last: lastTurn } });
    expect((await loci.captures.wait(id)).state).toBe("succeeded");
  }

  async function held(): Promise<readonly Memory[]> {
    return (await loci.memories.list({ scopes: [scope], validAt: now, pageSize: 1_000 })).memories;
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "loci-three-months-"));
    await open();
    for (let date = "2026-01-05"; date <= "2026-04-05"; date = new Date(now).toISOString().slice(0, 10)) {
      now = Date.parse(`${date}T19:00:00Z`);
      const said = talks[date];
      if (said !== undefined) await talk(date, said);
      if (date === "2026-02-15") contexts.set(date, await ask("May I run this week?"));
      now = Date.parse(`${date}T03:00:00Z`) + day;
      // Every third night is enough to see what nights do.
      if (new Date(now).getUTCDate() % 3 > 0) continue;
      await loci.maintenance.expire();
      await loci.maintenance.prune({ removeAfterDays: 30 });
      await loci.maintenance.reweigh();
      if (new Date(now).getUTCDate() % 2 > 0) continue;
      await loci.maintenance.compact();
      await loci.close();
      await open();
    }
  }, 120_000);
  afterAll(async () => {
    await loci.close();
    await rm(folder, { recursive: true });
  });

  test("what harms when it is forgotten is in every context, however small, in whatever words one asks", async () => {
    for (const query of ["Make me a dinner plan.", "What's on this week?"])
      expect((await ask(query, 2_500)).text).toContain("allergic to hazelnuts");
  });

  test("nothing of what others wrote, supposed, joked or asked as somebody else is the user's", async () => {
    const said = (await held()).map(({ text }) => text).join("\n");
    expect(said).not.toMatch(/dogs|Halifax|41k|Monaco|lottery|last is None/);
    expect(said).not.toMatch(/user (?:hates coriander|works at the university)/);
    expect(said).toContain("Tomasz hates coriander");
    expect((await ask("What do I want to earn?")).text).not.toContain("41k");
  });

  test("what holds still was not ended by what only shares a word with it", async () => {
    const said = (await held()).map(({ text }) => text).join("\n");
    for (const kept of [/14,000 pounds/, /can't eat spicy/, /prices in pounds/, /Fridays off/, /lives in Leeds/])
      expect(said).toMatch(kept);
  });

  test("what changed is known by what is so now, and what was so then is still known", async () => {
    const said = (await held()).map(({ text }) => text).join("\n");
    expect(said).toContain("takes Fostair");
    expect(said).not.toMatch(/takes montelukast every/);
    const then = Date.parse("2026-02-01T00:00:00Z");
    const { hits } = await loci.recall({ query: "What do I take for my asthma?", scopes: [scope], validAt: then });
    expect(hits[0]?.text).toContain("takes montelukast");
  });

  test("what was said for a time is over behind it", async () => {
    expect(contexts.get("2026-02-15")?.text).toContain("No running for six weeks");
    expect((await ask("May I run this week?")).text).not.toContain("No running for six weeks");
  });

  test("the nights have not weighed up what stands in every context, and what was said last stands first", async () => {
    const preferences = (await held()).filter(({ category }) => category === "preference");
    expect(preferences.length).toBeGreaterThan(1);
    for (const { version, importance } of preferences) expect([version, importance <= 0.6]).toEqual([1, true]);
    const { text } = await ask("xylophone");
    expect(text.indexOf("mails")).toBeGreaterThan(0);
    expect(text.indexOf("prefers tea")).toBeGreaterThan(text.indexOf("mails"));
  });
});
