import type { Connections } from "./connections.ts";
import { migrations } from "./migrations.ts";
import { overtaken } from "./schema-version.ts";
import { type Statement, statement } from "./statement.ts";

export interface SchemaWatchOptions {
  readonly schema: string;
  readonly everyMilliseconds: number;
  readonly reportProblem: (error: unknown, activity: string) => void;
}

const newest: Statement<{ readonly version: number | null }> = statement(
  "SELECT max(version) AS version FROM schema_steps",
);

/** Looks now and then whether a newer server has migrated the schema meanwhile, and tells of it once. */
export class SchemaWatch {
  readonly #connections: Connections;
  readonly #options: SchemaWatchOptions;
  readonly #timer: ReturnType<typeof setInterval>;

  constructor(connections: Connections, options: SchemaWatchOptions) {
    this.#connections = connections;
    this.#options = options;
    // One that fails is made up for by the next: whatever else is asked of the database tells of it.
    this.#timer = setInterval(() => void this.#look().catch(() => undefined), options.everyMilliseconds).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #look(): Promise<void> {
    const [row] = await this.#connections.read({ everyTenant: true }, newest, []);
    const found = row?.version ?? 0;
    if (found <= migrations.length) return;
    this.stop();
    const { schema, reportProblem } = this.#options;
    reportProblem(overtaken(found, schema, this.#connections.where), "looking at the version of the ledger");
  }
}
