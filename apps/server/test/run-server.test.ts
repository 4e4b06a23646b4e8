import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runServer } from "../src/index.ts";
import { testConfiguration } from "./test-server.ts";

test("what fails to end beside the server does not keep the server from closing, and is told", async () => {
  const dataDirectory = mkdtempSync(join(tmpdir(), "loci-run-"));
  onTestFinished(() => rmSync(dataDirectory, { recursive: true }));
  let log = "";
  const running = runServer(testConfiguration({ dataDirectory }), {
    beside: async () => ({ [Symbol.asyncDispose]: () => Promise.reject(new Error("the page did not end")) }),
    writeLog: (line) => (log += line),
    stopWhenIdleMilliseconds: 1,
  });
  await expect(running).rejects.toThrow("the page did not end");
  expect(log).toContain('"event":"stopped"');
});
