import { expect, test } from "vitest";
import { mergedMetrics } from "../src/workers/worker-metrics.ts";

const first = `# HELP target_info Target metadata
# TYPE target_info gauge
target_info{service_name="loci"} 1
# HELP loci_calls_total Calls that have ended
# TYPE loci_calls_total counter
loci_calls_total{method="a",code="OK"} 3
loci_calls_total{method="b {odd}",code="OK"} 1 1700000000000
# HELP loci_open Open calls
# TYPE loci_open gauge
loci_open 2
`;
const second = `# HELP loci_calls_total Calls that have ended
# TYPE loci_calls_total counter
loci_calls_total{method="a",code="OK"} 4
# HELP loci_seconds How long
# TYPE loci_seconds histogram
loci_seconds_bucket{le="0.1"} 7
loci_seconds_sum{} 0.5
`;

test("the metrics of workers become those of one server, in which each family stands once", () => {
  const merged = mergedMetrics([
    { worker: 0, text: first },
    { worker: 1, text: second },
  ]);
  expect(merged).toBe(`# HELP target_info Target metadata
# TYPE target_info gauge
target_info{worker="0",service_name="loci"} 1
# HELP loci_calls_total Calls that have ended
# TYPE loci_calls_total counter
loci_calls_total{worker="0",method="a",code="OK"} 3
loci_calls_total{worker="0",method="b {odd}",code="OK"} 1 1700000000000
loci_calls_total{worker="1",method="a",code="OK"} 4
# HELP loci_open Open calls
# TYPE loci_open gauge
loci_open{worker="0"} 2
# HELP loci_seconds How long
# TYPE loci_seconds histogram
loci_seconds_bucket{worker="1",le="0.1"} 7
loci_seconds_sum{worker="1"} 0.5
`);
});
