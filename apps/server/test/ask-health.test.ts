import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { engineWith, gatedEmbedder } from "./gated-embedder.ts";
import { startTestServer, testKey } from "./test-server.ts";

const tls = join(import.meta.dirname, "fixtures/tls");

test("a server with TLS is asked by its IP address, and nothing is warned of", async () => {
  await using server = await startTestServer({
    openEngine: engineWith(gatedEmbedder()),
    configuration: {
      tls: { certificateFile: join(tls, "server.crt"), privateKeyFile: join(tls, "server.key") },
      apiKeys: [testKey({ id: "ci", scopes: ["global"] }).entry],
    },
  });
  expect(server.address).toMatch(/^127\.0\.0\.1:/u);
  // A process of its own: Node warns once in each.
  const asking = `
    const { askHealth } = await import(${JSON.stringify(join(import.meta.dirname, "../src/health/ask-health.ts"))});
    console.log(await askHealth({ address: ${JSON.stringify(server.address)}, tls: true }));
  `;
  const flags = ["--conditions=@loci/source", "--disable-warning=ExperimentalWarning", "--input-type=module"];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [...flags, "--eval", asking]);
  expect({ stdout, stderr }).toEqual({ stdout: "SERVING\n", stderr: "" });
});
