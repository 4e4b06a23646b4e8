// Behaves like `loci serve` as far as the one who starts it can see: one lives, the others say why they do not.
import { appendFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";

const [directory = "", behaviour = ""] = process.argv.slice(2);
appendFileSync(join(directory, "starts"), `${process.pid}\n`);

function fail(reason: string): never {
  console.error(JSON.stringify({ error: { reason, code: "FAILED_PRECONDITION", message: `It is ${reason}.` } }));
  process.exit(4);
}

if (behaviour === "crash") throw new Error("not JSON");
if (behaviour === "corrupt") fail("DATA_DIRECTORY_CORRUPT");
if (behaviour === "locked") fail("DATA_DIRECTORY_LOCKED");
if (behaviour === "hang") setInterval(() => undefined, 1_000);
if (behaviour === "serve" || (behaviour === "locked-once" && starts() > 1)) serve();
else if (behaviour === "locked-once") fail("DATA_DIRECTORY_LOCKED");

function starts(): number {
  return readFileSync(join(directory, "starts"), "utf8").trimEnd().split("\n").length;
}

function serve(): void {
  try {
    mkdirSync(join(directory, "lock"));
  } catch {
    fail("DATA_DIRECTORY_LOCKED");
  }
  const server = createServer((socket) => socket.destroy()).listen(0, "127.0.0.1", () => {
    const bound = server.address();
    const port = typeof bound === "object" ? bound?.port : undefined;
    const location = { address: `127.0.0.1:${port}`, pid: process.pid, tls: false };
    writeFileSync(join(directory, "draft"), JSON.stringify(location));
    renameSync(join(directory, "draft"), join(directory, "server.json"));
  });
}
