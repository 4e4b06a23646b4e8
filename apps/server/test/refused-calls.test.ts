import { status } from "@grpc/grpc-js";
import { LociError } from "@loci/loci";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { CallObserver } from "../src/calls/call-observer.ts";
import { probePrincipal } from "../src/health/health-probe.ts";
import { Logger } from "../src/logging/logger.ts";

const path = "/loci.v1.MemoryService/Recall";
const wrong = new LociError("CREDENTIAL_INVALID", { message: "Not one of this server's." });
const over = new LociError("CREDENTIAL_EXPIRED", { message: "It is over." });
type Line = Readonly<Record<string, unknown>>;

let lines: Line[];
let observer: CallObserver;
beforeEach(() => {
  vi.useFakeTimers();
  lines = [];
  observer = new CallObserver(new Logger("info", (line) => lines.push(JSON.parse(line) as Line)));
});
afterEach(() => void vi.useRealTimers());

function guess(times: number, from: string | undefined, error = wrong): void {
  for (let one = 0; one < times; one++)
    observer.refused(path, status.UNAUTHENTICATED, error, from === undefined ? undefined : `${from}:${50_000 + one}`);
}

test("a flood of calls that are not let in writes a hundred lines in ten seconds, and one that counts the others", () => {
  guess(15_000, "10.0.0.7");
  guess(4_000, "::1");
  guess(1_000, "10.0.0.9", over);
  expect(lines).toHaveLength(100);
  vi.advanceTimersByTime(10_000);
  expect(lines.slice(100)).toEqual([
    {
      time: expect.any(String) as string,
      level: "warn",
      event: "calls refused",
      calls: 19_900,
      seconds: 10,
      reasons: ["CREDENTIAL_INVALID 18900", "CREDENTIAL_EXPIRED 1000"],
      from: ["10.0.0.7 14900", "::1 4000", "10.0.0.9 1000"],
      addresses: 3,
    },
  ]);
  // The next one is told as before.
  guess(1, "10.0.0.7");
  expect(lines.at(-1)).toMatchObject({ event: "call", reason: "CREDENTIAL_INVALID", from: "10.0.0.7:50000" });
});

test("few of them have a line each, and no other", () => {
  for (let window = 0; window < 3; window++) {
    guess(100, "10.0.0.7");
    vi.advanceTimersByTime(10_000);
  }
  expect(lines).toHaveLength(300);
  expect(new Set(lines.map(({ event }) => event))).toEqual(new Set(["call"]));
});

test("however many addresses they come from, few are named", () => {
  for (let host = 0; host < 5_000; host++) guess(1, `10.0.${host >> 8}.${host & 255}`);
  vi.advanceTimersByTime(10_000);
  const { from, addresses } = lines.at(-1) as { readonly from: readonly string[]; readonly addresses: number };
  expect([from.length, addresses]).toEqual([3, 1_000]);
});

test("behind a front, which has the addresses, they are counted without", () => {
  guess(101, undefined);
  vi.advanceTimersByTime(10_000);
  expect(lines.at(-1)).toMatchObject({ event: "calls refused", calls: 1 });
  expect(lines.at(-1)).not.toHaveProperty("from");
});

test("a call that failed for want of room is an error of the server's, which tells where there is none", () => {
  const error = new LociError("DISK_FULL", { message: "It could not grow.", resource: "/var/lib/loci/ledger.sqlite" });
  observer.ended({ path, status: status.RESOURCE_EXHAUSTED, error, milliseconds: 1, principal: probePrincipal });
  expect(lines).toEqual([
    expect.objectContaining({ level: "error", reason: "DISK_FULL", resource: "/var/lib/loci/ledger.sqlite" }),
  ]);
  expect(lines[0]).not.toHaveProperty("stack");
});
