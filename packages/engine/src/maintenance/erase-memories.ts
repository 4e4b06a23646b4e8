import {
  authorize,
  type EraseRequest,
  formatScope,
  LociError,
  type MaintenanceReport,
  parseKeptScope,
  type Principal,
  type Scope,
  type Sequence,
  shownValue,
  type TenantId,
} from "@loci/domain";
import { blockFamily, type PurgeSelection, sessionFamily } from "@loci/ledger";
import type { MaintenanceServices } from "./maintenance-services.ts";
import type { CurrentServices } from "../calls/current-services.ts";
import type { ScrubFiles } from "./deployment-files.ts";
import type { IndexMover } from "./index-mover.ts";
import { countResources } from "./count-resources.ts";
import { requireEveryScope } from "./job-rules.ts";
import type { MaintenanceCall } from "../calls/maintenance-call.ts";
import { scanMemories } from "./scan-memories.ts";
import { reachAll } from "../projections/kept-projections.ts";
import { verifyIndexes } from "./verify-indexes.ts";

export interface ErasureParts {
  readonly current: CurrentServices<MaintenanceServices>;
  readonly mover: IndexMover;
  readonly scrubFiles: ScrubFiles | undefined;
}

/** What holds for every deployment: it cannot see them. */
const backupsNote =
  "Backups and exports made before still hold it. A backup made from now on has the list that erases it again on restore.";

/** A trial counts what people know to be there. */
const countedNote =
  "found counts memories. What else is kept there, such as captures and edits of blocks, is not counted and would be erased as well.";

/**
 * Removes for good everything of a user, a scope or the tenant, and proves what it can: nothing can be recalled as soon as
 * the ledger has removed it; then every file Loci keeps is written anew without it, and indexes are compared with the
 * ledger. The report is the receipt; its counts name memories (`erased`) and resources of other families (`erasedResources`), its notes
 * say where bytes may still be. Stopped at any point it can be run again.
 *
 * @throws LociError `INVALID_REQUEST` unless exactly one of user, scope and tenant is given, and a tenant is the caller's own;
 *   `INVALID_IDENTIFIER` for a scope in place of a user's id; `SCOPE_NOT_PERMITTED`
 */
export async function eraseMemories(
  { current, mover, scrubFiles }: ErasureParts,
  principal: Principal,
  request: EraseRequest,
  call: MaintenanceCall,
): Promise<MaintenanceReport> {
  const { ledger, usage, shown, rotation, receipts } = current.now;
  const { tenant } = principal;
  const scope = erasedScope(request, principal);
  const selection: PurgeSelection = scope === undefined ? { everything: true } : { scopes: [scope] };
  const what = scope === undefined ? `the tenant ${tenant}` : `${formatScope(scope)} of the tenant ${tenant}`;
  const dryRun = request.dryRun === true;
  let found = 0;
  for await (const page of scanMemories(ledger, { ...call, principal }, "counting", scope && [scope]))
    found += page.length;
  const report = { job: "erase", dryRun, findings: [] } as const;
  if (dryRun) {
    const of = { tenant, scopes: scope && ([scope] as const) };
    const foundSessions = await countResources(ledger, { ...of, family: sessionFamily }, call);
    const foundBlocks = await countResources(ledger, { ...of, family: blockFamily }, call);
    return {
      ...report,
      counts: { found, foundSessions, foundBlocks, erased: 0, erasedResources: 0 },
      notes: [`All of ${what} would be erased.`, countedNote, ...whatStarsMean(scope), ...ofProjects(scope)],
    };
  }

  // What still waits would be written for memories that are gone.
  await Promise.all([usage, shown, rotation, receipts].map((recorder) => recorder.flush()));
  const { memories: erased, resources: erasedResources, head } = await ledger.purge(tenant, selection, call);
  // A move under way ends first: what it has built holds the rows too.
  const cleaned = await mover.exclusively(() => cleanIndexes(current.now, mover, { tenant, head }, call));
  const { reclaimedBytes, unproven } = await ledger.maintain({ scrub: true }, call);
  const files = (await scrubFiles?.()) ?? [];
  const notes = [
    erased + erasedResources === 0
      ? `Nothing of ${what} was there to be erased.`
      : `All of ${what} was erased. What is left are the ids of its memories and resources.`,
    ...whatStarsMean(scope),
    ...ofProjects(scope),
    ...mover.unproven(),
    ...unproven,
    ...files,
    backupsNote,
  ];
  return { ...report, counts: { found, erased, erasedResources, ...cleaned, reclaimedBytes }, notes };
}

/** A capture writes what a user tells of a project there, in their words. */
function ofProjects(scope: Scope | undefined): readonly string[] {
  if (scope?.kind !== "user") return [];
  return [
    "What was captured of a project in their sessions belongs to that project and stays: forget there what is to go.",
  ];
}

/** Former versions let a scope have the id `*`; whoever names it now may mean all of them. */
function whatStarsMean(scope: Scope | undefined): readonly string[] {
  if (scope?.id !== "*") return [];
  return [
    `${formatScope(scope)} is one ${scope.kind}, called *. To erase others, name each: memories.scopes lists them.`,
  ];
}

/** Brings the indexes up to the purge, removes those kept from before a move, and has the rest rewritten and compared. */
async function cleanIndexes(
  services: MaintenanceServices,
  mover: IndexMover,
  { tenant, head }: { readonly tenant: TenantId; readonly head: Sequence },
  call: MaintenanceCall,
): Promise<{ readonly dropped: number; readonly foreign: number }> {
  const dropped = await mover.dropFormer(call);
  await reachAll(services, tenant, head, call.signal);
  await purgeIndexes(services, call);
  const { counts } = await verifyIndexes(services, tenant, { repair: true }, call);
  // What a repair removed or replaced is in the files still.
  if ((counts["repaired"] ?? 0) > 0) await purgeIndexes(services, call);
  return { dropped, foreign: counts["remaining"] ?? 0 };
}

async function purgeIndexes({ vectors, textIndex }: MaintenanceServices, { signal }: MaintenanceCall): Promise<void> {
  await vectors.maintain({ signal, purge: true });
  await textIndex.maintain({ signal, purge: true });
}

function erasedScope({ user, scope, tenant }: EraseRequest, principal: Principal): Scope | undefined {
  const given = [user, scope, tenant].filter((value) => value !== undefined);
  if (given.length !== 1)
    throw new LociError("INVALID_REQUEST", {
      message: `${given.length} of user, scope and tenant are given, but exactly one says what is erased.`,
      advice: "Pass one of them.",
    });
  if (tenant !== undefined && tenant !== principal.tenant)
    throw new LociError("INVALID_REQUEST", {
      message: "tenant is not the name of the credential's own tenant.",
      field: "tenant",
      advice: "Spell out the name of the tenant that is to be erased, and use a credential of it.",
    });
  if (user?.startsWith("user:") === true) throw scopeForUser(user);
  const erased = tenant !== undefined ? undefined : parseKeptScope(scope ?? { kind: "user", id: user ?? "" });
  if (erased !== undefined) authorize(principal, "admin", [erased]);
  else requireEveryScope(principal);
  return erased;
}

/** Everywhere else a user is named by a scope: taken for an id it would erase nothing, and say that it was done. */
function scopeForUser(user: string): LociError {
  return new LociError("INVALID_IDENTIFIER", {
    message: "user is a scope, but must be the id of a user.",
    field: "user",
    advice: `Pass the id, ${shownValue(user.slice("user:".length))}, or the scope. Where an id begins so, pass the scope "user:" with that id behind it.`,
  });
}
