import { type Ref, type TenantId, tenantId } from "@loci/domain";
import type { CommitListener, Family, Ledger } from "@loci/ledger";
import { expect, test } from "vitest";
import { CaptureRunner } from "../../src/capture/capture-runner.ts";
import { FollowedCapture } from "../../src/capture/followed-capture.ts";
import type { Jobs } from "../../src/jobs/jobs.ts";

const acme = tenantId("acme");
const { signal: never } = new AbortController();
const capture = { ref: "a" as Ref, starts: 1 };
/** Less than the wait for what no message tells. */
const soon = 1_000;

/** A process that follows a capture, and what it is told. */
class Process implements Disposable {
  readonly #jobs = { cancel: async () => undefined } as unknown as Jobs;
  readonly #listeners = new Set<CommitListener>();
  readonly ledger: Ledger = {
    onCommitted: (listener: CommitListener) => {
      this.#listeners.add(listener);
      return () => this.#listeners.delete(listener);
    },
  } as unknown as Ledger;
  readonly captureRunner: CaptureRunner = new CaptureRunner({
    ledger: this.ledger,
    jobs: this.#jobs,
    run: async () => undefined,
    reportProblem: () => {},
  });
  readonly followed: FollowedCapture = new FollowedCapture({
    captureRunner: this.captureRunner,
    ledger: this.ledger,
    tenant: acme,
    ref: capture.ref,
  });

  get listeners(): number {
    return this.#listeners.size;
  }

  commit(families?: readonly Family[], tenant: TenantId = acme): void {
    for (const listener of this.#listeners) listener(tenant, 1, families);
  }

  async cancel(ref: Ref = capture.ref): Promise<void> {
    await this.captureRunner.cancel(acme, { ...capture, ref });
  }

  /** How long a wait takes, in milliseconds. */
  async waited(meanwhile: () => unknown = () => {}, signal: AbortSignal = never): Promise<number> {
    const started = performance.now();
    const waiting = this.followed.wait(signal);
    await meanwhile();
    await waiting;
    return performance.now() - started;
  }

  [Symbol.dispose](): void {
    this.followed[Symbol.dispose]();
  }
}

test("what is done here with the capture ends the wait at once, also what was done while it was read", async () => {
  using here = new Process();
  expect(await here.waited(() => here.cancel())).toBeLessThan(90);
  await here.cancel();
  expect(await here.waited()).toBeLessThan(90);
});

test("what other servers commit of captures ends it too, but not at once: it may be another one", async () => {
  using here = new Process();
  for (const families of [["capture"], undefined]) {
    const took = await here.waited(() => here.commit(families));
    expect(took).toBeGreaterThan(90);
    expect(took).toBeLessThan(soon);
  }
  here.commit(["capture"]);
  expect(await here.waited()).toBeLessThan(soon);
  // A wait for the rest of that time is over once the capture itself is told of.
  expect(await here.waited(() => (here.commit(["capture"]), here.cancel()))).toBeLessThan(90);
});

test("the signal ends it, other commits and captures do not, and nothing is left behind", async () => {
  const here = new Process();
  const ended = new AbortController();
  const others = async (): Promise<void> => {
    here.commit(["memories"]);
    here.commit(["capture"], tenantId("globex"));
    await here.cancel("b" as Ref);
    setTimeout(() => ended.abort(), 200);
  };
  const took = await here.waited(others, ended.signal);
  expect(took).toBeGreaterThan(190);
  expect(took).toBeLessThan(soon);
  here[Symbol.dispose]();
  expect(here.listeners).toBe(0);
});
