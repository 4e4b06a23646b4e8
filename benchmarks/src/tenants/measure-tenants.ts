import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { ProcessState } from "../programs/tenants-server.ts";
import { percentile } from "../measure/percentile.ts";
import { TenantsServer } from "./tenants-server.ts";

/** One figure, and what it has to be. */
export interface TenantsFigure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly target: string;
}

/** Tenants whose first recall is timed. */
const recalledTenants = 500;
/** How long the server is left alone to see what it does then, in milliseconds. */
const idleTime = 5_000;

/**
 * Writes tenants into a directory, unless they are there, and measures a server on it: how it starts after it was closed and
 * after it was killed, what it holds, first recalls, rest, and a sweep over all.
 */
export async function measureTenants(
  directory: string,
  tenants: number,
  onStep: (step: string) => void,
): Promise<readonly TenantsFigure[]> {
  const figures: TenantsFigure[] = [];
  const add = (name: string, value: number, unit: string, target = "–"): void => {
    figures.push({ name, value, unit, target });
  };
  const empty = await emptyStart(`${directory}-empty`);
  add("start of an empty directory", startOf(empty), "ms");
  add("resident of an empty directory", empty.ready.resident / 2 ** 20, "MiB");
  if (!hasFiles(directory)) {
    onStep(`writing ${tenants} tenants`);
    const writing = await write(directory, tenants);
    add("processor time of writing a tenant", writing / tenants, "ms");
  }
  const { files, bytes } = contentsOf(directory);
  add("files in the directory", files, "files");
  add("bytes a tenant", bytes / tenants, "bytes");
  onStep("starting after a close");
  {
    await using server = await TenantsServer.start(directory);
    add("start after a close", startOf(server), "ms", "≤ 1,000");
    add("processor time of that", server.ready.processor - server.before.processor, "ms");
    addHeld(server.ready, add, "ready");
    onStep("first recalls");
    await addRecalls(server, tenants, add);
    addHeld(await server.state(), add, "after recalls");
    onStep("rest");
    const before = await server.state();
    await setTimeout(idleTime);
    const after = await server.state();
    add("processor time of a second of rest", ((after.processor - before.processor) * 1_000) / idleTime, "ms");
    onStep("a sweep");
    await server.sweep();
    const swept = await server.state();
    add("processor time of a sweep", swept.processor - after.processor, "ms");
    add("the same for a tenant", (swept.processor - after.processor) / tenants, "ms");
    addHeld(swept, add, "after a sweep");
    await server.kill();
  }
  onStep("starting after a kill");
  await using server = await TenantsServer.start(directory);
  add("start after a kill", startOf(server), "ms", "≤ 1,000");
  add("processor time of a start after a kill", server.ready.processor - server.before.processor, "ms");
  return figures;
}

type Add = (name: string, value: number, unit: string, target?: string) => void;

function addHeld({ resident, descriptors }: ProcessState, add: Add, when: string): void {
  add(`resident, ${when}`, resident / 2 ** 20, "MiB", when === "ready" ? "≤ 200" : "–");
  add(`descriptors, ${when}`, descriptors, "files", "≤ 1,000");
}

async function addRecalls(server: TenantsServer, tenants: number, add: Add): Promise<void> {
  const count = Math.min(recalledTenants, tenants - 1);
  // The very first also starts the thread of the indexes, and compiles what runs.
  const first = await server.recall([0]);
  add("the first recall of all", first.milliseconds[0] ?? Number.NaN, "ms");
  const before = await server.state();
  const asked = Array.from({ length: count }, (_, place) => 1 + Math.floor((place * (tenants - 1)) / count));
  const { milliseconds, found } = await server.recall(asked);
  const after = await server.state();
  if (found.includes(0)) throw new Error("A tenant's recall found nothing of what the tenant had written.");
  add("first recall of a cold tenant, p50", percentile(milliseconds, 0.5), "ms");
  add("first recall of a cold tenant, p99", percentile(milliseconds, 0.99), "ms", "≤ 50");
  add("processor time of a first recall", (after.processor - before.processor) / count, "ms");
}

async function emptyStart(directory: string): Promise<{ before: ProcessState; ready: ProcessState }> {
  try {
    await using server = await TenantsServer.start(directory);
    return { before: server.before, ready: server.ready };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** @returns the processor time in milliseconds */
async function write(directory: string, tenants: number): Promise<number> {
  await using server = await TenantsServer.start(directory);
  const before = await server.state();
  await server.write(0, tenants);
  return (await server.state()).processor - before.processor;
}

function startOf({ before, ready }: { readonly before: ProcessState; readonly ready: ProcessState }): number {
  return ready.elapsed - before.elapsed;
}

function hasFiles(directory: string): boolean {
  try {
    return readdirSync(directory).length > 0;
  } catch {
    return false;
  }
}

function contentsOf(directory: string): { readonly files: number; readonly bytes: number } {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const bytes = files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
  return { files: files.length, bytes };
}
