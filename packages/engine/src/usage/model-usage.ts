import {
  checkModelTokens,
  costPartsOf,
  exactCostOf,
  type ModelRegistry,
  type Picodollars,
  toDollars,
} from "@loci/core";
import {
  asGiven,
  authorize,
  checkFields,
  checkIdentifier,
  checksOf,
  coversEveryScope,
  fieldsOf,
  hasRole,
  LociError,
  type ModelTokens,
  optional,
  type Principal,
  type RecordUsageRequest,
  shownText,
  shownValue,
  type TenantId,
  type UsageCap,
  type UsageTotals,
} from "@loci/domain";
import type { Ledger, ModelAccount } from "@loci/ledger";
import type { Call } from "../calls/call.ts";
import { engineInstruments } from "../calls/engine-metrics.ts";
import { authoredBy } from "../calls/authored-by.ts";
import { idempotencyOf } from "../calls/idempotency.ts";
import { accountName } from "../calls/principal-account.ts";
import { checkPromptText } from "../validation/validate-text.ts";

/** What may be used at most, by each session and by each tenant. */
export interface UsageCaps {
  readonly session?: UsageCap | undefined;
  readonly tenant?: UsageCap | undefined;
}

const checkRecord = checksOf<RecordUsageRequest>()("request", {
  model: checkPromptText,
  session: optional(checkIdentifier),
  // The numbers are checked together.
  inputTokens: asGiven,
  cachedInputTokens: asGiven,
  outputTokens: asGiven,
});
const checkTotals = checksOf<{ readonly session?: string | undefined }>()("request", {
  session: optional(checkIdentifier),
});
const capsFields = fieldsOf<UsageCaps>({ session: true, tenant: true });
const capFields = fieldsOf<UsageCap>({ tokens: true, cost: true });

interface CappedUse {
  readonly cap: UsageCap;
  /** Of a session. Absent: the tenant's. */
  readonly account?: string | undefined;
  readonly model: string | undefined;
}

/** Records and adds up what model calls used, and keeps them within their caps. */
export class ModelUsage {
  readonly #ledger: Pick<Ledger, "commit" | "modelUsage">;
  readonly #registry: ModelRegistry;
  readonly #caps: UsageCaps;

  /** @throws LociError `INVALID_CONFIGURATION` naming the cap */
  constructor(ledger: Pick<Ledger, "commit" | "modelUsage">, registry: ModelRegistry, caps: UsageCaps) {
    this.#ledger = ledger;
    this.#registry = registry;
    this.#caps = checkCaps(caps);
  }

  /**
   * Adds one call, once for each idempotency key. Returns the totals of its session, or without one of the tenant, as they
   * are now; to who may not read those of the call.
   *
   * @throws LociError `REQUEST_ID_REUSED` when the key was used for another call
   */
  async record({ principal, signal, options }: Call, request: RecordUsageRequest): Promise<UsageTotals> {
    authorize(principal, "write", []);
    const checked = checkRecord(request);
    const { model } = checked;
    const session = accountOf(principal, checked.session);
    const modelUsage = { model, session, ...checkModelTokens(request) };
    const idempotency = idempotencyOf("recordUsage", request, options);
    if (idempotency === undefined) await this.#ledger.modelUsage.add(principal.tenant, modelUsage);
    else {
      const batch = { ...authoredBy(principal), idempotency, expect: [], changes: [], modelUsage };
      await this.#ledger.commit(batch, { signal });
    }
    countTokens(modelUsage);
    // Who may not read is told of its own call alone.
    const told = hasRole(principal, "read")
      ? await this.#ledger.modelUsage.read(principal.tenant, session)
      : [{ ...modelUsage, calls: 1 }];
    return this.#totals(told).totals;
  }

  /** Adds a call that Loci itself has made: nobody needs the right to. */
  async recordOwn(tenant: TenantId, { model, ...tokens }: ModelTokens & { readonly model: string }): Promise<void> {
    const checked = checkModelTokens(tokens);
    await this.#ledger.modelUsage.add(tenant, { model, session: undefined, ...checked });
    countTokens(checked);
  }

  /** What tokens of a model cost, in dollars. `undefined`: its price is not known. */
  costOf({ model, ...tokens }: ModelTokens & { readonly model: string }): number | undefined {
    const { prices } = this.#registry.resolve(model);
    return prices === undefined ? undefined : toDollars(exactCostOf(tokens, prices));
  }

  async totals(principal: Principal, request: { readonly session?: string | undefined }): Promise<UsageTotals> {
    authorize(principal, "read", []);
    const account = accountOf(principal, checkTotals(request).session);
    return this.#totals(await this.#ledger.modelUsage.read(principal.tenant, account)).totals;
  }

  /**
   * Refuses a call that could take its session or its tenant over a cap. Calls under way count once they are recorded.
   *
   * @throws LociError `USAGE_CAP_REACHED`; `INVALID_REQUEST` when there is a cap in money and the model has no price
   */
  async checkCaps(
    principal: Principal,
    { session, model }: { readonly session?: string | undefined; readonly model: string | undefined },
    planned: ModelTokens,
  ): Promise<void> {
    const { tenant: tenantCap, session: sessionCap } = this.#caps;
    if (tenantCap !== undefined) await this.#checkCap(principal, { cap: tenantCap, model }, planned);
    if (sessionCap !== undefined && session !== undefined)
      await this.#checkCap(principal, { cap: sessionCap, account: accountOf(principal, session), model }, planned);
  }

  /** @param planned of a call, on the account of a session or of the whole tenant */
  async #checkCap(
    principal: Principal,
    { cap, account: session, model }: CappedUse,
    planned: ModelTokens,
  ): Promise<void> {
    const { totals, cost } = this.#totals(await this.#ledger.modelUsage.read(principal.tenant, session));
    const owner = session === undefined ? "tenant" : "session";
    // What others used is nobody's business who may not see it all.
    const mayTell = session !== undefined || coversEveryScope(principal);
    const used = totals.inputTokens + totals.outputTokens;
    const more = planned.inputTokens + planned.outputTokens;
    if (cap.tokens !== undefined) countShare(owner, "tokens", (used + more) / cap.tokens);
    if (cap.tokens !== undefined && used + more > cap.tokens)
      throw capReached(
        owner,
        mayTell ? `${used} of ${cap.tokens} tokens are used, and the call may take ${more}` : undefined,
      );
    if (cap.cost === undefined) return;
    const prices = this.#registry.resolve(model).prices;
    if (prices === undefined) throw noPrice(model, owner);
    const after = toDollars(cost + exactCostOf(planned, prices));
    countShare(owner, "cost", after / cap.cost);
    if (after > cap.cost)
      throw capReached(
        owner,
        mayTell ? `$${totals.cost} of $${cap.cost} are used, and the call may bring it to $${after}` : undefined,
      );
  }

  #totals(accounts: readonly ModelAccount[]): { readonly totals: UsageTotals; readonly cost: Picodollars } {
    let inputCost: Picodollars = 0n;
    let outputCost: Picodollars = 0n;
    const sums = { calls: 0, inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, unpricedCalls: 0 };
    let approximate = false;
    for (const account of accounts) {
      sums.calls += account.calls;
      // As the ledger does with the sums of one model.
      for (const name of ["inputTokens", "cachedInputTokens", "outputTokens"] as const)
        sums[name] = Math.min(sums[name] + account[name], Number.MAX_SAFE_INTEGER);
      const { prices } = this.#registry.resolve(account.model);
      if (prices === undefined) sums.unpricedCalls += account.calls;
      else {
        const { input, output } = costPartsOf(account, prices);
        inputCost += input;
        outputCost += output;
      }
      approximate ||= prices?.approximate === true;
    }
    const cost = inputCost + outputCost;
    const dollars = { cost: toDollars(cost), inputCost: toDollars(inputCost), outputCost: toDollars(outputCost) };
    return { totals: { ...sums, ...dollars, approximate }, cost };
  }
}

/**
 * The account of a session, or without one that of the tenant. For who may not touch every scope: those of the callers with
 * the same scope patterns.
 */
function accountOf(principal: Principal, session: string | undefined): string | undefined {
  return session === undefined && coversEveryScope(principal) ? undefined : accountName(principal, session ?? "");
}

function checkCaps(caps: UsageCaps): UsageCaps {
  checkFields(caps, capsFields, "usageCaps");
  for (const [owner, cap] of Object.entries(caps) as [string, UsageCap | undefined][]) {
    if (cap === undefined) continue;
    checkFields(cap, capFields, `usageCaps.${owner}`);
    for (const name of ["tokens", "cost"] as const) {
      const value = cap[name];
      if (value !== undefined && !(Number.isFinite(value) && value >= 0))
        throw new LociError("INVALID_CONFIGURATION", {
          message: `usageCaps.${owner}.${name} is ${shownValue(value)}, but must be a number of 0 or more.`,
          field: `usageCaps.${owner}.${name}`,
          advice: "Leave it out for no cap.",
        });
    }
  }
  return caps;
}

function countTokens({ inputTokens, outputTokens }: Pick<ModelTokens, "inputTokens" | "outputTokens">): void {
  engineInstruments.add("loci.usage.tokens", inputTokens, { "gen_ai.token.type": "input" });
  engineInstruments.add("loci.usage.tokens", outputTokens, { "gen_ai.token.type": "output" });
}

/** A cap of 0 has no shares. */
function countShare(owner: "tenant" | "session", unit: "tokens" | "cost", share: number): void {
  if (Number.isFinite(share))
    engineInstruments.record("loci.usage.cap.share", share, { "loci.cap.owner": owner, "loci.cap.unit": unit });
}

function capReached(owner: string, problem: string | undefined): LociError {
  return new LociError("USAGE_CAP_REACHED", {
    message: `The ${owner} has reached its cap${problem === undefined ? "" : `: ${problem}`}.`,
    resource: owner,
    advice: `Raise usageCaps.${owner}${owner === "session" ? ", or begin another session" : ""}.`,
  });
}

function noPrice(model: string | undefined, owner: string): LociError {
  return new LociError("INVALID_REQUEST", {
    message: `The ${owner} has a cap in money, but the price of ${model === undefined ? "the model, which is not named," : shownText(model)} is not known.`,
    field: "model",
    advice: "Name a model with a price, or add its prices to the model registry.",
  });
}
