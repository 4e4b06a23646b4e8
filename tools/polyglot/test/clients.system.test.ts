import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assembledContextToProto, assembleRequestToProto, proto } from "@loci/api";
import { type AssembledContext, connectLoci } from "@loci/client";
import { createApiKey } from "@loci/server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  missingFramework,
  missingToolchain,
  pythonFrameworks,
  type PythonFramework,
  pythonProgram,
} from "../toolchains.ts";
import { memories, request } from "./conversation.ts";
import { programMilliseconds, runProgram, workspaceRoot } from "./run-program.ts";
import { type ServedLoci, serveLoci } from "./served-loci.ts";

// The certificates that the client's own tests connect with.
const certificates = join(workspaceRoot, "packages/client/test/fixtures");
const authority = join(certificates, "authority.pem");
/** The adapters of the Python client: each extra, and the module that it is for. */
const frameworks = (Object.keys(pythonFrameworks) as PythonFramework[]).map((name) => ({
  name,
  module: name.replace("-", "_"),
  brings: pythonFrameworks[name],
  missing: missingFramework(name),
}));
const missing = { python: missingToolchain("python"), go: missingToolchain("go") };

let server: ServedLoci;
let certifying: ServedLoci;
let exchange: string;
let context: AssembledContext;
let environment: Readonly<Record<string, string>>;

beforeAll(async () => {
  exchange = mkdtempSync(join(tmpdir(), "loci-polyglot-exchange-"));
  const { key, entry } = createApiKey({ tenant: "acme", roles: ["read", "write"], scopes: ["*"] });
  // What agents remember is in no other test's way: how much a word counts for depends on all that a tenant has.
  const agents = createApiKey({ tenant: "agents", roles: ["read", "write", "approve"], scopes: ["*"] });
  // The server's certificate may stand for a client, too.
  const files = { certificateFile: join(certificates, "server.pem"), privateKeyFile: join(certificates, "server.key") };
  const administrators = createApiKey({ tenant: "agents", roles: ["admin"], scopes: ["*"] });
  server = await serveLoci({
    apiKeys: [entry, agents.entry, administrators.entry],
    tls: files,
  });
  certifying = await serveLoci({
    tls: { ...files, clientCaFile: authority },
    clientCertificates: [{ name: "DNS:localhost", tenant: "acme", roles: ["read"], scopes: ["user:ann"] }],
  });
  await using loci = connectLoci({ address: server.address, apiKey: key, tls: { ca: readFileSync(authority) } });
  await loci.memories.rememberMany(memories);
  context = await loci.assemble(request);

  write("request.binpb", proto.AssembleContextRequest.encode(assembleRequestToProto(request)).finish());
  write("response.binpb", proto.AssembleContextResponse.encode(assembledContextToProto(context)).finish());
  environment = {
    LOCI_TEST_ADDRESS: server.address,
    LOCI_TEST_API_KEY: key,
    LOCI_TEST_AGENTS_API_KEY: agents.key,
    LOCI_TEST_ADMINISTRATORS_API_KEY: administrators.key,
    LOCI_TEST_AUTHORITY: authority,
    LOCI_TEST_CERTIFYING_ADDRESS: certifying.address,
    LOCI_TEST_CERTIFICATE: files.certificateFile,
    LOCI_TEST_CERTIFICATE_KEY: files.privateKeyFile,
    LOCI_TEST_EXCHANGE: exchange,
  };
});

afterAll(async () => {
  await Promise.all([server, certifying].map((served) => served[Symbol.asyncDispose]()));
  rmSync(exchange, { recursive: true });
});

function write(name: string, bytes: Uint8Array): void {
  writeFileSync(join(exchange, name), bytes);
}

test("what the clients are compared with has in it what languages treat differently", () => {
  expect(context.text).toContain("請求処理 👩🏽‍💻 e\u0301");
  expect(context.text).toContain("Billing has no database.");
  expect(context.receipt.droppedCandidates).not.toHaveLength(0);
});

describe.skipIf(missing.python !== undefined)(`Python${reason(missing.python)}`, () => {
  test("its tests pass, and it assembles the same bytes as TypeScript", { timeout: programMilliseconds }, async () => {
    // unittest reports on standard error.
    const command = `exec "$0" -m unittest discover --start-directory packages/client-python/test --verbose 2>&1`;
    const report = await runProgram("sh", ["-c", command, pythonProgram], environment);
    expect(report).toMatch(/^test_assembles_the_same_bytes_as_typescript .* ok$/m);
    expect(report).not.toContain("skipped");
  });

  test("mypy finds nothing in it, nor in a program that calls it", { timeout: programMilliseconds }, async () => {
    const parts = frameworks.filter((each) => each.missing === undefined);
    const absent = frameworks.filter((each) => each.missing !== undefined);
    const left = absent.flatMap(({ module }) => ["--exclude", `loci_client/${module}/`]);
    const programs = ["program", ...parts.map(({ module }) => `${module}_program`)].map(
      (name) => `test/typed_${name}.py`,
    );
    const command = `cd packages/client-python && exec "$0" -m mypy --no-incremental "$@"`;
    const checked = [...left, "src/loci_client", ...programs];
    expect(await runProgram("sh", ["-c", command, pythonProgram, ...checked], {})).toMatch(/^Success/);
  });
});

describe.each(frameworks)("Python's loci-client[$name]", ({ name, module, brings, missing }) => {
  test.skipIf(missing !== undefined)(`its tests pass${reason(missing)}`, { timeout: programMilliseconds }, async () => {
    const folder = `packages/client-python/test-${name}`;
    const command = `exec "$0" -m unittest discover --start-directory ${folder} --verbose 2>&1`;
    const shared = { PYTHONPATH: join(workspaceRoot, "packages/client-python/test") };
    const report = await runProgram("sh", ["-c", command, pythonProgram], { ...environment, ...shared });
    expect(report).toMatch(/^Ran \d\d tests/m);
    expect(report).not.toContain("skipped");
  });

  test.skipIf(missing !== undefined)(`its absence is said as what to install${reason(missing)}`, async () => {
    // What is set to nothing cannot be imported.
    const absent = `import sys; sys.modules["${brings}"] = None`;
    const script = `${absent}\ntry: import loci_client.${module}\nexcept ModuleNotFoundError as error: print(error)`;
    const said = await runProgram(pythonProgram, ["-c", script], {});
    expect(said).toMatch(
      new RegExp(`^This needs .+, which is not installed: pip install 'loci-client\\[${name}\\]'\n$`),
    );
  });
});

describe.skipIf(missing.go !== undefined)(`Go${reason(missing.go)}`, () => {
  test("its tests pass, and it assembles the same bytes as TypeScript", { timeout: programMilliseconds }, async () => {
    const report = await runProgram("go", ["-C", "packages/client-go", "test", "-count=1", "-v", "./..."], environment);
    expect(report).toContain("--- PASS: TestAssemblesTheSameBytesAsTypeScript");
    expect(report).not.toContain("--- SKIP");
  });

  test(
    "it is formatted as gofmt does, and go vet has nothing against it",
    { timeout: programMilliseconds },
    async () => {
      const unformatted = await runProgram("gofmt", ["-l", "packages/client-go", "docs/examples"], {});
      expect(unformatted).toBe("");
      await runProgram("go", ["-C", "packages/client-go", "vet", "./..."], {});
    },
  );

  // The detector has everything compiled once more, which takes minutes.
  test.skipIf(process.env["LOCI_GO_RACE"] === undefined)(
    "its tests pass under the race detector",
    { timeout: programMilliseconds },
    async () => {
      const report = await runProgram(
        "go",
        ["-C", "packages/client-go", "test", "-race", "-count=1", "-v", "./..."],
        environment,
      );
      expect(report).toContain("--- PASS: TestCancelledCallsLeaveNoGoroutine");
      expect(report).not.toContain("--- SKIP");
    },
  );
});

/** Stands in the report, so that what was skipped says why. */
function reason(missing: string | undefined): string {
  return missing === undefined ? "" : ` (skipped: ${missing})`;
}
