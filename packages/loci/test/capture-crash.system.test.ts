import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { tenantId } from "@loci/domain";
import { type Loci, openEngine } from "@loci/loci";
import { expect, test } from "vitest";

/** More in the nightly run. */
const cycles = Number(process.env["LOCI_CRASH_CYCLES"] ?? 8);

interface Started {
  readonly id: string;
  readonly scope: `user:${string}`;
}

/** @returns the captures that were acknowledged before the process was killed */
async function captureUntilKilled(dataDirectory: string, cycle: number): Promise<readonly Started[]> {
  const program = join(import.meta.dirname, "programs", "capture-until-killed.ts");
  const child = spawn(
    process.execPath,
    ["--no-warnings", "--conditions=@loci/source", program, dataDirectory, String(cycle)],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const closed = once(child, "close");
  const started: Started[] = [];
  const wanted = 1 + Math.floor(Math.random() * 8);
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.endsWith("}")) continue;
    started.push(JSON.parse(line) as Started);
    // Whatever is under way then: turns, a capture that is queued, planned, or half way into the ledger.
    if (started.length === wanted) void setTimeout(Math.random() * 60).then(() => child.kill("SIGKILL"));
  }
  await closed;
  return started;
}

/**
 * A machine that is slow to start may lose its process at each of the five times that one capture is tried. It is dead then, has
 * written nothing, and is tried anew by whoever asks for it again.
 */
async function triedAnew(loci: Loci, id: string, scope: Started["scope"]): Promise<void> {
  const { state, problem } = await loci.captures.wait(id);
  if (state !== "dead") return;
  const { memories } = await loci.memories.list({ scopes: [scope] });
  if (memories.length > 0 || problem !== "Its server stopped each time that it was tried.")
    throw new Error(`A capture is dead with ${memories.length} memories: ${problem}`);
  const again = await loci.captures.start({ session: { scope, id: "s" } });
  expect(again.id).toBe(id);
}

test(`after ${cycles} kills at any moment no capture is half done, and none was done twice`, async () => {
  const dataDirectory = await mkdtemp(join(tmpdir(), "loci-capture-crash-"));
  const started: Started[] = [];
  for (let cycle = 0; cycle < cycles; cycle++) started.push(...(await captureUntilKilled(dataDirectory, cycle)));
  const engine = await openEngine({ dataDirectory, captureLease: 500 });
  const principal = {
    tenant: tenantId("local"),
    subject: "test",
    roles: ["read", "write"],
    scopePatterns: ["*"],
  } as const;
  const loci = engine.for(principal);
  expect(started.length).toBeGreaterThan(cycles);
  const texts = new Set<string>();
  for (const { id, scope } of started) {
    await triedAnew(loci, id, scope);
    const { state, outcome } = await loci.captures.wait(id);
    expect(state).toBe("succeeded");
    const { memories } = await loci.memories.list({ scopes: [scope], pageSize: 100 });
    const written = (outcome?.candidates ?? []).flatMap(({ memory }) => memory ?? []);
    // All that the report says, and nothing besides.
    expect(memories.map((memory) => memory.id).toSorted()).toEqual(written.toSorted());
    for (const memory of memories) expect(await loci.captures.evidence(memory.id)).toHaveLength(1);
    texts.add(
      memories
        .map(({ text }) => text)
        .toSorted()
        .join("\n"),
    );
  }
  // Each of them made the same of the same turns.
  expect(texts.size).toBe(1);
  expect([...texts][0]?.split("\n").length).toBeGreaterThan(8);
  await engine.close();
  await rm(dataDirectory, { recursive: true });
  console.log(`${cycles} kills, ${started.length} captures, each done once`);
}, 3_600_000);
