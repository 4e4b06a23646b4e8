import { scoringProfile } from "@loci/core";
import {
  checkFields,
  fieldsOf,
  type ScoringProfile,
  type ScoringProfileChanges,
  type ScoringProfileName,
  type TenantId,
  tenantId,
} from "@loci/domain";

import { checkShare } from "../validation/validate-number.ts";

/** How recall scores where a call does not say. */
export interface ScoringOptions {
  /** Default `balanced`. */
  readonly profile?: ScoringProfileName | ScoringProfileChanges | undefined;
  /** By tenant: another shipped profile, or changes to `profile`. */
  readonly tenants?: Readonly<Record<string, ScoringProfileName | ScoringProfileChanges>> | undefined;
  /** How close a memory must come to a query, 0 to 1, in place of the embedder's measured floors. Default: those. */
  readonly relevanceFloor?: number | undefined;
  /** By tenant, in place of `relevanceFloor`. */
  readonly relevanceFloors?: Readonly<Record<string, number>> | undefined;
}

const scoringFields = fieldsOf<ScoringOptions>({
  profile: true,
  tenants: true,
  relevanceFloor: true,
  relevanceFloors: true,
});

/** The scoring profile of each tenant, from which a call may differ. */
export class ScoringProfiles {
  readonly #standard: ScoringProfile;
  readonly #ofTenants: ReadonlyMap<TenantId, ScoringProfile>;
  readonly #floor: number | undefined;
  readonly #floorsOfTenants: ReadonlyMap<TenantId, number>;

  /** @throws LociError `INVALID_CONFIGURATION` naming the setting; `INVALID_IDENTIFIER` for a tenant that cannot be */
  constructor(options: ScoringOptions = {}) {
    checkFields(options, scoringFields, "scoring");
    this.#standard = scoringProfile(options.profile);
    this.#ofTenants = new Map(
      Object.entries(options.tenants ?? {}).map(([tenant, changes]) => [
        tenantId(tenant),
        scoringProfile(changes, this.#standard),
      ]),
    );
    const { relevanceFloor, relevanceFloors = {} } = options;
    this.#floor = relevanceFloor === undefined ? undefined : checkShare(relevanceFloor, "scoring.relevanceFloor");
    this.#floorsOfTenants = new Map(
      Object.entries(relevanceFloors).map(([tenant, floor]) => [
        tenantId(tenant),
        checkShare(floor, `scoring.relevanceFloors.${tenant}`),
      ]),
    );
  }

  of(tenant: TenantId): ScoringProfile {
    return this.#ofTenants.get(tenant) ?? this.#standard;
  }

  /** `undefined`: the embedder's floors hold. */
  floorOf(tenant: TenantId): number | undefined {
    return this.#floorsOfTenants.get(tenant) ?? this.#floor;
  }
}
