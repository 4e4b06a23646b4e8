import type { CallMix } from "../call-mix.ts";
import { Callers } from "../caller-processes.ts";
import type { LoadConfiguration } from "../load-configurations.ts";
import { type CallFigures, callFigures } from "../load-figures.ts";
import { LoadedServers } from "../loaded-servers.ts";
import { planCalls } from "../planned-calls.ts";

export interface HotTenantOptions {
  readonly configuration: LoadConfiguration;
  readonly seconds: number;
  /** Of all tenants together: more than the servers can answer. */
  readonly ratePerSecond: number;
  /** What one tenant calls of them. */
  readonly share: number;
  readonly mix: CallMix;
  readonly tenants: number;
  readonly memories: number;
  readonly timeoutMilliseconds: number;
  readonly seed: number;
}

/** What other tenants get while one calls as if the servers were its own. */
export interface HotTenantReport {
  /** The others, without the hot one. */
  readonly alone: CallFigures;
  /** The same calls at the same times, beside it. */
  readonly beside: CallFigures;
  readonly hot: CallFigures;
}

/** Makes the calls of the others twice: alone, and beside a tenant with nearly all calls, by processes of callers of their own. */
export async function measureHotTenant(options: HotTenantOptions): Promise<HotTenantReport> {
  const { configuration, tenants, memories, timeoutMilliseconds, share } = options;
  await using servers = await LoadedServers.start(configuration, { tenants });
  // The hot tenant is the first one. Those with odd places are in the other process, which is not busy with its calls.
  await using callers = await Callers.start({ tenants: servers.tenants, processes: 2, memories, timeoutMilliseconds });
  const planned = planCalls({ ...options, schedule: "poisson", skew: 0, hotShare: share });
  const isOther = ({ tenant }: { readonly tenant: number }): boolean => tenant % 2 === 1;
  const others = planned.filter(isOther);
  const alone = await callers.call(others);
  const together = await callers.call(planned.filter((call) => call.tenant === 0 || isOther(call)));
  return {
    alone: callFigures(alone.outcomes),
    beside: callFigures(together.outcomes.filter(isOther)),
    hot: callFigures(together.outcomes.filter(({ tenant }) => tenant === 0)),
  };
}
