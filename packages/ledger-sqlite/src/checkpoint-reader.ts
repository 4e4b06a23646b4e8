import type { DatabaseSync } from "node:sqlite";
import type { TenantId } from "@loci/domain";
import type { Checkpoint, CheckpointOwner } from "@loci/ledger";
import { type LedgerSealing, openCheckpointText } from "@loci/ledger/sql";
import { prepareQuery, type Query } from "./query.ts";
import { type ReadingPace, rowsPerStep } from "./reading-pace.ts";

/** Reads what was read of long resources. */
export class CheckpointReader {
  readonly #sealing: LedgerSealing;
  readonly #outlines: Query<Omit<Checkpoint, "state">>;
  readonly #state: Query<{ state: string }>;

  constructor(database: DatabaseSync, sealing: LedgerSealing) {
    this.#sealing = sealing;
    const owned = "tenant = (SELECT id FROM tenants WHERE name = ?) AND ref = ? AND reading = ?";
    this.#outlines = prepareQuery(
      database,
      `SELECT through, outline FROM checkpoints WHERE ${owned} AND through > ? ORDER BY through LIMIT ${rowsPerStep}`,
    );
    this.#state = prepareQuery(database, `SELECT state FROM checkpoints WHERE ${owned} AND through = ?`);
  }

  async outlines(
    tenant: TenantId,
    owner: CheckpointOwner,
    pace: ReadingPace,
  ): Promise<readonly Omit<Checkpoint, "state">[]> {
    const { ref, reading } = owner;
    const open = (through: number, text: string): string =>
      openCheckpointText(this.#sealing.fields, tenant, owner, { through, field: "outline", text });
    const found: Omit<Checkpoint, "state">[] = [];
    for (;;) {
      const rows = this.#outlines.all(tenant, ref, reading, found.at(-1)?.through ?? 0);
      found.push(...rows.map(({ through, outline }) => ({ through, outline: open(through, outline) })));
      if (rows.length < rowsPerStep) return found;
      await pace.step();
    }
  }

  state(tenant: TenantId, owner: CheckpointOwner, through: number): string | undefined {
    const text = this.#state.get(tenant, owner.ref, owner.reading, through)?.state;
    if (text === undefined) return undefined;
    return openCheckpointText(this.#sealing.fields, tenant, owner, { through, field: "state", text });
  }
}
