import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { metricTable } from "../src/metrics/metric-table.ts";
import { prometheusName } from "../src/metrics/metrics-reference.ts";

interface Panel {
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly gridPos: { readonly x: number; readonly w: number };
  readonly targets?: readonly { readonly expr: string }[];
}

const file = join(import.meta.dirname, "../../../deploy/grafana/loci-dashboard.json");
const dashboard = JSON.parse(readFileSync(file, "utf8")) as { readonly panels: readonly Panel[] };
const panels = dashboard.panels.filter(({ type }) => type !== "row");
const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

/** What a metric is called on the endpoint, and its labels there. */
const labelsByName = new Map(
  Object.entries(metricTable).flatMap(([name, metric]) => {
    const plain = prometheusName(name, metric);
    const labels = metric.attributes.map((attribute) => attribute.replaceAll(".", "_"));
    const names = metric.kind === "histogram" ? ["bucket", "sum", "count"].map((part) => `${plain}_${part}`) : [plain];
    return names.map((known) => [known, labels] as const);
  }),
);
/** What Prometheus itself adds, and what histograms have. */
const everywhere = ["instance", "le"];

/** The metrics an expression asks for: names before braces. */
function askedIn(expression: string): readonly string[] {
  return [...expression.matchAll(/([a-z_]\w*)\{/g)].map(([, name]) => name ?? "");
}

function labelsIn(expression: string): readonly string[] {
  const matched = [...expression.matchAll(/(\w+)=~?"|(\w+)!="/g)].map(([, equal, other]) => equal ?? other ?? "");
  const grouped = [...expression.matchAll(/by \(([^)]*)\)/g)].flatMap(([, names = ""]) => names.split(", "));
  return [...matched, ...grouped];
}

test("every metric and label the dashboard asks for is in the table", () => {
  expect(expressions.length).toBeGreaterThan(40);
  for (const expression of expressions) {
    const asked = askedIn(expression);
    expect(asked.length).toBeGreaterThan(0);
    for (const name of asked) expect([...labelsByName.keys()]).toContain(name);
    const known = [...everywhere, ...asked.flatMap((name) => labelsByName.get(name) ?? [])];
    for (const label of labelsIn(expression)) expect(known).toContain(label);
  }
});

test("every metric of the table is shown somewhere", () => {
  const asked = expressions.flatMap(askedIn);
  for (const [name, metric] of Object.entries(metricTable)) {
    const plain = prometheusName(name, metric);
    expect(asked.some((shown) => shown === plain || shown.startsWith(`${plain}_`)) || plain).toBe(true);
  }
});

test("every metric that the guide says to watch is in the table", () => {
  const guide = readFileSync(join(import.meta.dirname, "../../../docs/guides/production.md"), "utf8");
  const named = [...guide.matchAll(/`((?:loci|rpc|nodejs|process|gen_ai|v8js)\.[a-z0-9._]+)`/g)].map(
    ([, name]) => name ?? "",
  );
  const watched = named.filter((name) => !/\.(?:toml|service|yaml)$/.test(name));
  expect(watched.length).toBeGreaterThan(15);
  for (const name of watched) expect(Object.keys(metricTable)).toContain(name);
});

test("every panel has a title, says what it shows and stands on the page", () => {
  for (const { title, description, gridPos } of panels) {
    expect(title).not.toBe("");
    expect(description).toMatch(/\.$/);
    expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
  }
});
