import { expect } from "vitest";
import type { ScenarioClients } from "../src/scenario-clients.ts";

/** Fails when what a program wrote holds a key that it was given, or the secret part of one. */
export function expectNoKey(output: string, clients: ScenarioClients): void {
  const keys = Object.entries(clients).flatMap(([name, { apiKey }]) => (apiKey === undefined ? [] : [[name, apiKey]]));
  expect(keys.length).toBeGreaterThan(5);
  const shown = keys.filter(([, key = ""]) => output.includes(key.slice(key.lastIndexOf("_", key.length - 43) + 1)));
  expect(shown.map(([name]) => name)).toEqual([]);
}
