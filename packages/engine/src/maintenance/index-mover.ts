import type { MaintenanceServices } from "./maintenance-services.ts";
import { unbuiltTenants } from "./unbuilt-tenants.ts";
import { LociError, type MaintenanceReport, shownText, throwIfAborted } from "@loci/domain";
import type { Ledger } from "@loci/ledger";
import { authoredByLoci } from "../calls/authored-by.ts";
import type { DeclaredMetadata } from "../projections/declared-metadata.ts";
import { embedStored } from "../embedding/embed-stored.ts";
import { KeyedLock } from "../calls/keyed-lock.ts";
import { maxOverlayChanges } from "../projections/overlay.ts";
import { pause } from "../calls/pause.ts";
import type { ReportProblem } from "../calls/report-problem.ts";
import type { TextAnalyses } from "../projections/text-analyses.ts";
import { isOutdated } from "../calls/version-conflict.ts";
import type { CurrentServices } from "../calls/current-services.ts";
import { dropFormerIndexes, dropIndexes, whyKept } from "./former-indexes.ts";
import type { IndexChoices } from "../projections/index-choices.ts";
import {
  changeIndexRecord,
  checkRecordedSpace,
  type FormerIndexes,
  type IndexRecord,
  ownerOfFormer,
  readIndexRecord,
  sameConfiguration,
} from "../projections/index-record.ts";
import { openForContents } from "../projections/index-contents.ts";
import { type IndexSet, openIndexSet } from "../projections/index-set.ts";
import type { IndexUsers } from "./index-users.ts";
import { type MaintenanceCall, ProgressMeter } from "../calls/maintenance-call.ts";

export interface ReindexJob {
  readonly to?: string | undefined;
  readonly embedder?: string | undefined;
  readonly dropOld?: boolean | undefined;
}

export interface IndexMoverOptions extends IndexChoices {
  readonly ledger: Ledger;
  /** Which indexes the servers use that share the ledger. Absent: there is this one only. */
  readonly users: IndexUsers | undefined;
  readonly current: CurrentServices<MaintenanceServices>;
  readonly analyses: TextAnalyses;
  readonly metadata: DeclaredMetadata;
  /** In milliseconds. */
  readonly embeddingTimeLimit: number;
  readonly reportProblem: ReportProblem;
}

/** Texts embedded and written at once. */
const embeddingBatch = 256;
/** The flip waits until no tenant has more changes waiting: what recall reads beside the index stays small. */
const flipBehind = maxOverlayChanges / 4;
const pollDelay = 50;

/** Where indexes move to. */
interface Destination {
  readonly place: string;
  readonly embedderName: string;
  /** What another server has recorded, when it has moved before. */
  readonly followed?: IndexRecord | undefined;
}

/** Moves indexes while they are in use: the new ones follow the same log from its beginning, and are switched to at the end. */
export class IndexMover {
  readonly #options: IndexMoverOptions;
  readonly #moves = new KeyedLock();
  #active: IndexSet;

  constructor(active: IndexSet, options: IndexMoverOptions) {
    this.#active = active;
    this.#options = options;
  }

  /** Where bytes of what was purged may still be in the place in use, as far as Loci cannot see. */
  unproven(): readonly string[] {
    return this.#options.places.unproven?.(this.#active.place) ?? [];
  }

  /** The indexes in use. */
  get active(): IndexSet {
    return this.#active;
  }

  /**
   * Builds indexes in another place, in another embedding space, or both, and switches to them. Called again after it was
   * stopped it goes on where it stood. Moves wait for each other.
   *
   * @throws LociError `INVALID_REQUEST` for a name that is not configured; `EMBEDDER_UNAVAILABLE`, and what the places throw
   */
  reindex(job: ReindexJob, dryRun: boolean, call: MaintenanceCall): Promise<MaintenanceReport> {
    checkName(job.to, this.#options.places.available, "to");
    checkName(job.embedder, this.#options.embedders.available, "embedder");
    return this.#moves.run("move", () => this.#reindex(job, dryRun, call));
  }

  /**
   * Does what a restart would do: goes over to the indexes that another server, configured as this one is, has moved to.
   * Those that nobody shares are built first; calls go on meanwhile.
   *
   * @throws LociError `INVALID_CONFIGURATION` when what it moved to is not configured here; `EMBEDDING_SPACE_MISMATCH` when
   *   the embedder of that name is another one here; what the places throw
   */
  async follow(recorded: IndexRecord, call: MaintenanceCall): Promise<void> {
    if (!sameConfiguration(recorded.configured, this.#options.configured)) return;
    await this.#moves.run("move", async () => {
      const former = this.#active;
      const { place, embedder } = recorded;
      if (place === former.place && embedder === former.embedderName) return;
      // A move of this server's own may have come between; the next look sees what it led to.
      const now = await readIndexRecord(this.#options.ledger);
      if (now?.place !== place || now.embedder !== embedder) return;
      await this.#move(former, { place, embedderName: embedder, followed: recorded }, call);
      if (former.place === place) return;
      // What was this server's alone nobody else would ever drop.
      const { vectors, text } = former.projections;
      const left = { place: former.place, projections: [vectors.name, text.name] };
      if (ownerOfFormer(left) !== undefined) await dropIndexes(this.#options, place, left);
    });
  }

  async #reindex(job: ReindexJob, dryRun: boolean, call: MaintenanceCall): Promise<MaintenanceReport> {
    const former = this.#active;
    const { to: place = former.place, embedder: embedderName = former.embedderName } = job;
    const isDrop = job.dropOld === true && !dryRun;
    const isMove = place !== former.place || embedderName !== former.embedderName;
    const counts = { tenants: 0, changes: 0, embedded: 0, dropped: 0 };
    const notes: string[] = [];
    if (isMove && dryRun) {
      for (const tenant of await this.#options.ledger.tenants(call)) {
        counts.tenants++;
        counts.changes += await this.#options.ledger.head(tenant);
      }
    } else if (isMove) Object.assign(counts, await this.#move(former, { place, embedderName }, call));
    if (!isMove) notes.push(this.#whereTheyAre(job));
    if (isDrop) counts.dropped = await this.dropFormer(call);
    const left = (await readIndexRecord(this.#options.ledger))?.former ?? [];
    for (const one of left) notes.push(whyKept(one, this.#options.users?.server, isDrop));
    return { job: "reindex", dryRun, counts, findings: [], notes };
  }

  #whereTheyAre({ to, embedder, dropOld }: ReindexJob): string {
    const { place, embedderName } = this.#active;
    const there = `The indexes are in "${place}" with the embedder "${embedderName}"`;
    if (to !== undefined || embedder !== undefined) return `${there} already.`;
    if (dropOld === true) return `${there}.`;
    const { places, embedders } = this.#options;
    const others = (names: readonly string[], used: string): string =>
      names.filter((name) => name !== used).join(", ") || "none other that is configured";
    return (
      `${there}. Places to move to: ${others(places.available, place)}. ` +
      `Embedders to change to: ${others(embedders.available, embedderName)}.`
    );
  }

  async #move(
    former: IndexSet,
    { place, embedderName, followed }: Destination,
    call: MaintenanceCall,
  ): Promise<{ readonly tenants: number; readonly changes: number; readonly embedded: number }> {
    const { current, places, users } = this.#options;
    const target = await this.#open(former, place, embedderName);
    const isOtherSpace = target.space !== former.space;
    let embedded = 0;
    try {
      if (followed !== undefined) checkRecordedSpace(followed, embedderName, target.space);
      if (isOtherSpace) {
        // From here on whatever is written is embedded in both spaces.
        await current.replace({ ...current.now, nextSpace: target });
        // Of one that is in use elsewhere the indexes have to be told what is embedded now.
        if (followed === undefined) embedded = await this.#embedAll(target, call);
        else target.repair.start();
      }
      const tenants = await this.#build(target, call);
      if (followed === undefined) await this.#record(former, target);
      const { nextSpace: _, ...services } = current.now;
      // The instant of the switch: index, text index, embedder and drainers change for all calls that begin from now on.
      const unused = current.replace({ ...services, ...servicesOf(target) });
      this.#active = target;
      await unused;
      await users?.use(target);
      try {
        const changes = await this.#catchUp(target, call);
        return { tenants, changes, embedded };
      } finally {
        await closeParts(former, target);
        if (former.place !== target.place) await places.close(former.place);
      }
    } catch (error) {
      if (this.#active === target) throw error;
      const { nextSpace: _, ...services } = current.now;
      await current.replace(services);
      await closeParts(target, former);
      if (target.place !== former.place) await places.close(target.place);
      throw error;
    }
  }

  async #open(former: IndexSet, place: string, embedderName: string): Promise<IndexSet> {
    const { embedders, ledger, analyses, metadata, embeddingTimeLimit, reportProblem } = this.#options;
    const sharesText = place === former.place;
    const sharesEmbedder = embedderName === former.embedderName;
    const embedder = sharesEmbedder ? former.embedder : await embedders.open(embedderName);
    return openIndexSet({
      ledger,
      analyses,
      metadata,
      embeddingTimeLimit,
      reportProblem,
      place,
      opened: await openForContents(this.#options, place, embedder.space, sharesText ? former.history : undefined),
      embedderName,
      embedder,
      text: sharesText ? former.projections.text : undefined,
      spaceServices: sharesEmbedder ? former : undefined,
    });
  }

  /** What has an embedding already is passed over: so it goes on after it was stopped. */
  async #embedAll(target: IndexSet, call: MaintenanceCall): Promise<number> {
    const { ledger } = this.#options;
    const tenants = await ledger.tenantsWithoutEmbeddings(target.space);
    let total = 0;
    for (const tenant of tenants) total += await ledger.count(tenant, call);
    const meter = new ProgressMeter("embedding texts", call);
    let embedded = 0;
    for (const tenant of tenants)
      for (;;) {
        const pending = await ledger.withoutEmbedding(tenant, target.space, embeddingBatch);
        if (pending.length === 0) break;
        const embeddings = await embedStored(target, tenant, pending, call.signal);
        // Of a text that is erased meanwhile no vector may come after the erasure: nothing would ever remove it.
        const expect = pending.map(({ memory }) => ({ ref: memory.id, version: memory.version }));
        try {
          await ledger.commit({ ...authoredByLoci(tenant, "reindex"), expect, changes: [], embeddings }, call);
        } catch (error) {
          if (!isOutdated(error)) throw error;
          throwIfAborted(call.signal);
          continue;
        }
        meter.add(pending.length, total);
        embedded += pending.length;
      }
    return embedded;
  }

  /** Applies what was waiting at the flip, so that nothing is missing once the former indexes are gone. */
  async #catchUp({ vectors, textIndex, projections }: IndexSet, call: MaintenanceCall): Promise<number> {
    const { ledger } = this.#options;
    const tenants = await ledger.tenants(call);
    let changes = 0;
    for (const tenant of tenants) changes += await ledger.head(tenant);
    for (const built of [
      { index: vectors, drained: projections.vectors },
      { index: textIndex, drained: projections.text },
    ])
      for (const tenant of await unbuiltTenants(ledger, built, tenants))
        await built.drained.drainer.reach(tenant, await ledger.head(tenant), call.signal);
    return changes;
  }

  /** Follows the log until nobody is far behind. @returns how many tenants there are */
  async #build({ vectors, textIndex, projections }: IndexSet, call: MaintenanceCall): Promise<number> {
    const { ledger } = this.#options;
    await projections.vectors.start();
    await projections.text.start();
    const meter = new ProgressMeter("building indexes", call);
    for (;;) {
      const tenants = await ledger.tenants(call);
      const parts = [
        { index: vectors, drained: projections.vectors },
        { index: textIndex, drained: projections.text },
      ];
      const unbuilt = await Promise.all(
        parts.map(async (part) => ({ ...part, tenants: new Set(await unbuiltTenants(ledger, part, tenants)) })),
      );
      let total = 0;
      let applied = 0;
      let furthestBehind = 0;
      for (const tenant of tenants) {
        const head = await ledger.head(tenant);
        let reached = head;
        for (const { index, tenants: behind } of unbuilt)
          if (behind.has(tenant)) reached = Math.min(reached, await index.checkpoint(tenant));
        total += head;
        applied += reached;
        furthestBehind = Math.max(furthestBehind, head - reached);
        if (reached === head) continue;
        projections.vectors.drainer.wake(tenant);
        projections.text.drainer.wake(tenant);
      }
      meter.set(applied, total);
      // Whoever is told may have stopped it: also a move that has just come near enough.
      throwIfAborted(call.signal);
      if (furthestBehind <= flipBehind) return tenants.length;
      await pause(pollDelay, call.signal);
    }
  }

  async #record(former: IndexSet, target: IndexSet): Promise<void> {
    const { ledger, configured } = this.#options;
    const isTarget = (one: FormerIndexes): boolean =>
      one.place === target.place && (one.collection === undefined || one.collection === target.collection);
    await changeIndexRecord(ledger, (recorded) => {
      if (recorded !== undefined && sameConfiguration(recorded.configured, configured)) checkUnmoved(recorded, former);
      return {
        place: target.place,
        embedder: target.embedderName,
        space: target.space,
        configured,
        former: [...(recorded?.former ?? []).filter((one) => !isTarget(one)), ...formerOf(former, target)],
      };
    });
  }

  /** Runs work while nothing is being moved. */
  exclusively<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#moves.run("move", work);
  }

  /** Removes the indexes that were moved from, as far as nobody else uses them. For work inside `exclusively`. */
  dropFormer(call: MaintenanceCall): Promise<number> {
    return dropFormerIndexes(this.#options, this.#active.place, call);
  }
}

/** The part of the services that a move replaces. */
export function servicesOf(
  set: IndexSet,
): Pick<
  MaintenanceServices,
  "vectors" | "vectorCapabilities" | "textIndex" | "embedder" | "embedding" | "space" | "repair" | "indexes"
> {
  const { vectors, vectorCapabilities, textIndex, embedder, embedding, space, repair, projections: indexes } = set;
  return { vectors, vectorCapabilities, textIndex, embedder, embedding, space, repair, indexes };
}

function formerOf(former: IndexSet, target: IndexSet): readonly FormerIndexes[] {
  const { place, collection, projections } = former;
  const { vectors, text } = projections;
  if (place !== target.place) return [{ place, projections: [vectors.name, text.name] }];
  return collection === target.collection ? [] : [{ place, collection, projections: [vectors.name] }];
}

/** @throws LociError `VERSION_CONFLICT` when another server has moved since this one's move began */
function checkUnmoved({ place, embedder }: IndexRecord, former: IndexSet): void {
  if (place === former.place && embedder === former.embedderName) return;
  throw new LociError("VERSION_CONFLICT", {
    message: `Another server has moved the indexes to "${place}" with the embedder "${embedder}" meanwhile.`,
    advice: "This server follows within seconds. Move again if this move is still wanted then.",
  });
}

/** Ends what one set runs and the other does not share. */
async function closeParts(ended: IndexSet, kept: IndexSet): Promise<void> {
  if (ended.projections.vectors !== kept.projections.vectors) await ended.projections.vectors.close();
  if (ended.projections.text !== kept.projections.text) await ended.projections.text.close();
  if (ended.repair !== kept.repair) await ended.repair.close();
}

function checkName(name: string | undefined, available: readonly string[], field: string): void {
  if (name === undefined || available.includes(name)) return;
  throw new LociError("INVALID_REQUEST", {
    message: `${field} is ${shownText(name)}, which is not configured.`,
    field,
    advice: `There are: ${available.join(", ")}.`,
  });
}
