/** Where a client of the scenario calls, and as whom. */
export interface ScenarioClient {
  /** `host:port` on this machine. */
  readonly address: string;
  readonly apiKey?: string;
}

export type ScenarioClients = Readonly<Record<string, ScenarioClient>>;

/** How the environment of a replaying program names what it replays. */
export const environmentNames = {
  file: "LOCI_SCENARIO_FILE",
  clients: "LOCI_SCENARIO_CLIENTS",
  writes: "LOCI_SCENARIO_WRITES",
} as const;
