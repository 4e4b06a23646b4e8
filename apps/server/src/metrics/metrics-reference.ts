import type { Metric } from "@loci/loci";
import { metricAttributes, metricTable } from "./metric-table.ts";

/** The name of a metric on the Prometheus endpoint; of a histogram that of its family. */
export function prometheusName(name: string, { kind }: Pick<Metric, "kind">): string {
  const plain = name.replaceAll(/[^a-zA-Z0-9_]/g, "_");
  return kind.endsWith("counter") ? `${plain}_total` : plain;
}

/** The reference page of all metrics, as Markdown. */
export function metricsReference(): string {
  const rows = Object.entries(metricTable).map(([name, metric]) => {
    const { kind, unit, attributes, meaning } = metric;
    const shown = attributes.map((attribute) => `\`${attribute}\``).join(", ");
    const form = kind === "observed counter" ? "counter" : kind;
    return `| \`${name}\` | \`${prometheusName(name, metric)}\` | ${form} | \`${unit}\` | ${shown} | ${meaning} |`;
  });
  const attributes = Object.entries(metricAttributes).map(([name, values]) => `| \`${name}\` | ${values} |`);
  return [
    `# Metrics\n\n${introduction}\n`,
    "| metric | on the Prometheus endpoint | kind | unit | attributes | what it tells |",
    "| --- | --- | --- | --- | --- | --- |",
    ...rows,
    `\n## Attributes\n\n${aboutAttributes}\n`,
    "| attribute | what it may be |",
    "| --- | --- |",
    ...attributes,
    "",
  ].join("\n");
}

const introduction =
  "What a server tells of itself: by OTLP to `telemetry.otlp_endpoint`, and at `/metrics` of `telemetry.prometheus_port` for " +
  "Prometheus, where dots in names and attributes are underscores, counters end in `_total`, and histograms come as `_bucket`, " +
  "`_sum` and `_count`. [Run it in production](../guides/production.md) says what to watch. A program that opens Loci in its own " +
  "process tells those of the engine (`loci.step.duration` to `gen_ai.client.token.usage`) to the OpenTelemetry SDK it has " +
  "registered. This page is made from the table in the code by `npm run reference`.";

const aboutAttributes =
  "Each has few values, however many tenants, users and memories there are: none of them holds a tenant, a scope, an id or a text.";
