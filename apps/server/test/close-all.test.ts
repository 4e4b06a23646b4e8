import { expect, test } from "vitest";
import { closeAll } from "../src/close-all.ts";

test("all is closed, the last first, and the first failure is told", async () => {
  const closed: string[] = [];
  const closing = (name: string, failure?: Error) => async (): Promise<void> => {
    closed.push(name);
    if (failure !== undefined) throw failure;
  };
  const closers = [closing("ledger", new Error("second")), closing("index", new Error("first")), closing("listener")];
  await expect(closeAll(closers)).rejects.toThrow("first");
  expect(closed).toEqual(["listener", "index", "ledger"]);
});
