import { get, type ServerResponse } from "node:http";
import type { SocketPlace } from "../listen-at.ts";
import { listenForMetrics, metricsPath, type MetricsListener } from "../telemetry/metrics-listener.ts";

/** Which process it is: a worker by its number, or the one that passes calls on to them. */
export type ServingProcess = number | "front";

/** The metrics of one process, as Prometheus reads them. */
export interface ProcessMetrics {
  readonly worker: ServingProcess;
  readonly text: string;
}

/** Where a process serves its own metrics. */
export interface MetricsSocket {
  readonly worker: ServingProcess;
  readonly path: string;
}

interface Family {
  readonly about: string[];
  readonly samples: string[];
}

/** How long a process may take to answer, in milliseconds: who scrapes waits for the slowest, and has ten seconds by default. */
const patience = 2_000;
/** Far more than all combinations of a worker's metrics take. */
const mostCharacters = 16 * 1024 * 1024;

/** The metrics of all processes as those of one server, each sample with the worker it is of. */
export function mergedMetrics(metrics: readonly ProcessMetrics[]): string {
  const families = new Map<string, Family>();
  for (const { worker, text } of metrics) {
    let family: Family = { about: [], samples: [] };
    for (const line of text.split("\n")) {
      const [, name] = /^# (?:HELP|TYPE|UNIT) (\S+)/.exec(line) ?? [];
      if (name !== undefined) {
        const known = families.get(name);
        family = known ?? { about: [], samples: [] };
        families.set(name, family);
        // What it is stands there once, whoever says it.
        if (!family.about.includes(line)) family.about.push(line);
      } else if (line !== "" && !line.startsWith("#")) family.samples.push(labelled(line, worker));
    }
  }
  const lines = [...families.values()].flatMap(({ about, samples }) => [...about, ...samples]);
  return `${lines.join("\n")}\n`;
}

function labelled(sample: string, worker: ServingProcess): string {
  const end = sample.search(/[{ ]/);
  const [name, rest] = [sample.slice(0, end), sample.slice(end)];
  if (!rest.startsWith("{")) return `${name}{worker="${worker}"}${rest}`;
  return `${name}{worker="${worker}"${rest.startsWith("{}") ? "" : ","}${rest.slice(1)}`;
}

/**
 * Serves the metrics of all processes that are there.
 *
 * @param sockets where each of them serves its own, asked for at each request
 * @throws LociError what `listenForMetrics` throws
 */
export function serveWorkerMetrics(at: SocketPlace, sockets: () => readonly MetricsSocket[]): Promise<MetricsListener> {
  const answer = async (response: ServerResponse): Promise<void> => {
    const asked = sockets().map(async ({ worker, path }) => ({ worker, text: await metricsAt(path) }));
    const told = await Promise.allSettled(asked);
    // One that has just gone has no metrics; the others have.
    const metrics = told.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    response.writeHead(200, { "content-type": "text/plain; version=0.0.4; charset=utf-8" });
    response.end(mergedMetrics(metrics));
  };
  return listenForMetrics(at, (_request, response) => void answer(response));
}

function metricsAt(socketPath: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = get({ socketPath, path: metricsPath, timeout: patience }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => {
        text += part;
        if (text.length > mostCharacters) response.destroy(new Error("too long"));
      });
      response.on("end", () => resolve(text));
      response.on("error", reject);
    });
    request.on("timeout", () => request.destroy(new Error("timeout")));
    request.on("error", reject);
  });
}
