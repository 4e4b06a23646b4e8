import { expect, test } from "vitest";
import { Notifier } from "../src/calls/notifier.ts";
import { pause } from "../src/calls/pause.ts";

const long = 20_000;

test("everybody who pauses with it goes on when it happens, and nobody is kept who has gone on", async () => {
  const notifier = new Notifier();
  const end = new AbortController();
  const pauses = [pause(long, undefined, notifier), pause(long, end.signal, notifier)];
  expect(notifier.isIdle).toBe(false);
  notifier.notify();
  await Promise.all(pauses);
  expect(notifier.isIdle).toBe(true);
  const others = [pause(1, undefined, notifier), pause(long, end.signal, notifier)];
  end.abort();
  await Promise.all(others);
  expect(notifier.isIdle).toBe(true);
});
