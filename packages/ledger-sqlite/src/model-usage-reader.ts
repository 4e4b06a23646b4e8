import type { DatabaseSync } from "node:sqlite";
import type { TenantId } from "@loci/domain";
import type { ModelAccount } from "@loci/ledger";
import { saturated } from "@loci/ledger/sql";
import { prepareQuery, type Query } from "./query.ts";

/** Stands in the place of the session for the account of the tenant itself. */
export const tenantAccount = "";

/** Reads what model calls used. */
export class ModelUsageReader {
  readonly #account: Query<ModelAccount>;

  constructor(database: DatabaseSync) {
    this.#account = prepareQuery(
      database,
      // Sums that were written before they had a limit may be beyond it.
      `SELECT model, calls, ${saturated("min", "input_tokens")} AS inputTokens,
           ${saturated("min", "cached_input_tokens")} AS cachedInputTokens,
           ${saturated("min", "output_tokens")} AS outputTokens
         FROM model_usage WHERE tenant = (SELECT id FROM tenants WHERE name = ?) AND session = ? ORDER BY model`,
    );
  }

  account(tenant: TenantId, session: string | undefined): readonly ModelAccount[] {
    // Copied: rows have no prototype, and answers are plain objects.
    return this.#account.all(tenant, session ?? tenantAccount).map((row) => ({ ...row }));
  }
}
