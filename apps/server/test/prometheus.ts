import { request } from "node:http";
import { expect } from "vitest";

/** A figure as Prometheus reads it. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Of an HTTP server. */
interface Answer {
  readonly status: number;
  readonly text: string;
}

export function ask(address: string, path = "/metrics", method = "GET"): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const asking = request(`http://${address}${path}`, { method, agent: false }, (response) => {
    let text = "";
    response.setEncoding("utf8").on("data", (part: string) => (text += part));
    response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
  });
  asking.on("error", reject).end();
  return promise;
}

function samplesOf(text: string): readonly Sample[] {
  return text
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => {
      const [, name = "", inner = "", value = ""] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
      expect(name).not.toBe("");
      const labels = [...inner.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key, label]) => [key, label]);
      return { name, labels: Object.fromEntries(labels) as Record<string, string>, value: Number(value) };
    });
}

/** What a server tells Prometheus now. */
export async function scrape(address: string): Promise<readonly Sample[]> {
  const { status, text } = await ask(address);
  expect(status).toBe(200);
  return samplesOf(text);
}

/** The sum of a metric's samples that have these labels. */
export function sumOf(samples: readonly Sample[], name: string, wanted: Readonly<Record<string, string>> = {}): number {
  const isWanted = (labels: Sample["labels"]): boolean =>
    Object.entries(wanted).every(([label, value]) => labels[label] === value);
  return samples
    .filter((sample) => sample.name === name && isWanted(sample.labels))
    .reduce((sum, { value }) => sum + value, 0);
}
