import type { DatabaseSync } from "node:sqlite";
import type { ModelUsageEntry } from "@loci/ledger";
import { saturated } from "@loci/ledger/sql";
import { tenantAccount } from "./model-usage-reader.ts";
import { type Command, prepareCommand } from "./query.ts";

const columns = ["input_tokens", "cached_input_tokens", "output_tokens"];

/** Adds up what model calls used. */
export class ModelUsageWriter {
  readonly #add: Command;

  constructor(database: DatabaseSync) {
    this.#add = prepareCommand(
      database,
      `INSERT INTO model_usage (tenant, session, model, calls, input_tokens, cached_input_tokens, output_tokens)
         VALUES (?, ?, ?, 1, ?, ?, ?)
         ON CONFLICT DO UPDATE SET calls = calls + 1, ${columns.map((column) => `${column} = ${saturated("min", `${column} + excluded.${column}`)}`).join(", ")}`,
    );
  }

  add(tenant: number, { session, model, inputTokens, cachedInputTokens, outputTokens }: ModelUsageEntry): void {
    for (const account of session === undefined ? [tenantAccount] : [tenantAccount, session])
      this.#add.run(tenant, account, model, inputTokens, cachedInputTokens, outputTokens);
  }
}
