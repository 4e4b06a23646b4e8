import type { Instant, Sequence, TenantId } from "@loci/domain";
import { type Ledger, type LogEntry, sessionFamily } from "@loci/ledger";
import type { LogProjection } from "../projections/log-projection.ts";
import { projectScopeOf, type StoredSession, sessionOf } from "../sessions/stored-session.ts";
import type { StoredCapture } from "./stored-capture.ts";
import { capturedElsewhere } from "./captured-through.ts";
import { lastCapture, ordersOf, queueCapture } from "./order-captures.ts";

export interface CaptureTriggersOptions {
  readonly ledger: Ledger;
  readonly clock: () => Instant;
  /** Has what was queued carried out. */
  readonly enqueue: (tenant: TenantId, capture: StoredCapture) => Promise<void>;
}

const settingName = "capture-triggers";

/**
 * Follows what happens to sessions, and queues their captures: when one is closed, or has so many turns more. It goes through the
 * log, so that what happened while nobody watched is not missed.
 */
export class CaptureTriggers implements LogProjection {
  readonly name = "capture-triggers";
  readonly families: readonly string[] = [sessionFamily];
  readonly isDurable = true;
  /** Where it stands is read from the ledger: when all of a tenant is erased, that goes too, and is noticed. */
  readonly isImmediate = true;
  readonly #options: CaptureTriggersOptions;

  constructor(options: CaptureTriggersOptions) {
    this.#options = options;
  }

  async apply(tenant: TenantId, entries: readonly LogEntry[], through: Sequence): Promise<void> {
    const refs = [...new Set(entries.map(({ ref }) => ref))];
    const { ledger } = this.#options;
    if (refs.length > 0)
      for (const resource of (await ledger.resources.get(tenant, sessionFamily, refs)).values()) {
        const session = sessionOf(resource);
        if (session !== undefined) await this.#queue(tenant, session);
      }
    await this.#stand(tenant, through);
  }

  async checkpoint(tenant: TenantId): Promise<Sequence> {
    return Number((await this.#options.ledger.settings.get(tenant, settingName)) ?? 0);
  }

  async reset(tenant: TenantId): Promise<void> {
    await this.#stand(tenant, 0);
  }

  async #queue(tenant: TenantId, session: StoredSession): Promise<void> {
    const { capture, state, lastTurn } = session.header;
    if (capture === "off" || lastTurn === 0 || (capture === "onClose" && state === "open")) return;
    // While an import brings its turns, those that were captured elsewhere are not all there yet.
    if (lastTurn < (session.arrival?.turns ?? 0)) return;
    const last = await lastCapture(this.#options, tenant, session);
    const before = Math.max(last?.turns.last ?? 0, capturedElsewhere(session));
    // Whoever queued it may have died before anybody could carry it out.
    if (last?.state === "queued") await this.#options.enqueue(tenant, last);
    const isDue =
      lastTurn > before && (state === "closed" || capture === "onClose" || lastTurn - before >= capture.everyTurns);
    if (!isDue) return;
    const projectScope = projectScopeOf(session);
    const orders = ordersOf({ session, turns: { first: before + 1, last: lastTurn }, projectScope, extractor: "auto" });
    for (const order of orders) {
      const authority = { scopePatterns: ["*"], mayApprove: false };
      await this.#options.enqueue(tenant, await queueCapture(this.#options, { tenant, authority }, order));
    }
  }

  async #stand(tenant: TenantId, through: Sequence): Promise<void> {
    const { settings } = this.#options.ledger;
    for (;;) {
      const before = await settings.get(tenant, settingName);
      if (before === String(through)) return;
      if (await settings.compareAndSet(tenant, settingName, before, String(through))) return;
    }
  }
}
