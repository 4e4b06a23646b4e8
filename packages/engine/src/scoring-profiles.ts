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

/** How recall scores where a call does not say. */
export interface ScoringOptions {
  /** Default `assistant`. */
  readonly profile?: ScoringProfileName | ScoringProfileChanges | undefined;
  /** By tenant: another shipped profile, or changes to `profile`. */
  readonly tenants?: Readonly<Record<string, ScoringProfileName | ScoringProfileChanges>> | undefined;
}

const scoringFields = fieldsOf<ScoringOptions>({ profile: true, tenants: true });

/** The scoring profile of each tenant, from which a call may differ. */
export class ScoringProfiles {
  readonly #standard: ScoringProfile;
  readonly #ofTenants: ReadonlyMap<TenantId, ScoringProfile>;

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
  }

  of(tenant: TenantId): ScoringProfile {
    return this.#ofTenants.get(tenant) ?? this.#standard;
  }
}
