import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { LociError } from "@loci/loci";
import { expect, test } from "vitest";
import { problemOf } from "../src/logging/reason-of.ts";

test("who reads the log may go, and the process goes on", async () => {
  const logger = fileURLToPath(new URL("../src/logging/logger.ts", import.meta.url));
  const program = `
    const { Logger } = await import(${JSON.stringify(logger)});
    const logger = new Logger("info");
    const logging = setInterval(() => logger.log("info", "called"), 5);
    process.stdin.once("data", () => setTimeout(() => (clearInterval(logging), console.log("goes on"), process.exit(0)), 100));`;
  const child = spawn(process.execPath, [
    "--no-warnings",
    "--conditions=@loci/source",
    "--input-type=module",
    "--eval",
    program,
  ]);
  child.stderr.setEncoding("utf8");
  const [line] = (await once(child.stderr, "data")) as [string];
  expect(JSON.parse(line.split("\n")[0] ?? "")).toMatchObject({ level: "info", event: "called" });
  child.stderr.destroy();
  child.stdin.write("go on");
  let told = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (told += text));
  expect(await once(child, "close")).toEqual([0, null]);
  expect(told).toBe("goes on\n");
});

test("what is too old for what is stored is told with what to do, and of other failures no message is", () => {
  const advice = "Start the newer version of Loci in place of this server.";
  const message = "The schema loci has version 13, and this server knows only up to 12.";
  const reason = "DATA_DIRECTORY_TOO_NEW";
  expect(problemOf(new LociError(reason, { message, advice }))).toEqual({ reason, message, advice });
  const secret = new LociError("INVALID_TEXT", { message: "a secret memory", advice: "a secret memory" });
  expect(problemOf(secret)).toEqual({ reason: "INVALID_TEXT" });
  expect(JSON.stringify(problemOf(new Error("a secret memory")))).not.toContain("a secret memory");
});
