import type { Sequence, TenantId } from "@loci/domain";
import type { LogEntry } from "@loci/ledger";
import type { LogProjection } from "@loci/engine";
import { expect, test } from "vitest";
import { everything, TestEngine } from "./support/test-engine.ts";

const scope = "user:alice";

/** A feed of what happened: the least that a projection which is no index can be. */
class Feed implements LogProjection {
  readonly name = "feed";
  readonly families = ["memories"];
  readonly isDurable = true;
  readonly kinds: string[] = [];
  position: Sequence = 0;

  async apply(_tenant: TenantId, entries: readonly LogEntry[], through: Sequence): Promise<void> {
    for (const { sequence, kind } of entries) if (sequence > this.position) this.kinds.push(kind);
    this.position = through;
  }

  async checkpoint(): Promise<Sequence> {
    return this.position;
  }

  readonly reset = async (): Promise<void> => {
    this.kinds.length = 0;
    this.position = 0;
  };

  /** Says that it has lost an entry, and cannot be mended row by row. */
  readonly verification: LogProjection["verification"] = {
    name: "feed",
    compare: async ({ position }) => ({
      rows: this.kinds.length,
      miscounted: position - this.kinds.length,
      differences: [],
    }),
    repair: async () => undefined,
  };
}

test("a projection that is listed is started, waited for, paused, verified, begun again and closed with the indexes", async () => {
  const feed = new Feed();
  await using opened = await TestEngine.open({ projections: [feed] });
  const { engine } = opened;
  const loci = opened.as({ ...everything, roles: ["read", "write", "admin"] });
  const { id } = await loci.memories.remember({ text: "The theme is Solarized.", scope });
  // Nobody asks for it: it hears of the commit.
  await expect.poll(() => feed.kinds).toEqual(["memoryWritten"]);

  await engine.drainers.pause();
  await loci.memories.forget(id);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(feed.kinds).toEqual(["memoryWritten"]);
  engine.drainers.resume();
  await loci.settled();
  expect(feed.kinds).toEqual(["memoryWritten", "memoryRemoved"]);

  feed.kinds.pop();
  const found = await loci.maintenance.verify();
  expect(found.findings).toEqual([
    { reason: "MISCOUNTED_ROWS", details: { index: "feed", counted: "2", listed: "1" } },
  ]);
  const repaired = await loci.maintenance.verify({ repair: true });
  expect(repaired.counts).toMatchObject({ miscounted: 1, rebuilt: 1, remaining: 0 });
  expect(feed.kinds).toEqual(["memoryWritten", "memoryRemoved"]);

  // What it has applied is acknowledged, and its lease given back.
  await engine.close();
  expect(await opened.ledger.pending("feed", { families: feed.families })).toEqual([]);
});
