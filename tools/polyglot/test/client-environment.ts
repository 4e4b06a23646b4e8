import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assembledContextToProto, assembleRequestToProto, proto } from "@loci/api";
import { type AssembledContext, connectLoci } from "@loci/client";
import { createApiKey } from "@loci/server";
import { memories, request } from "./conversation.ts";
import { workspaceRoot } from "./run-program.ts";
import { serveLoci } from "./served-loci.ts";

// The certificates that the client's own tests connect with.
const certificates = join(workspaceRoot, "packages/client/test/fixtures");
const authority = join(certificates, "authority.pem");

/** What the tests of a client are run with: servers, and what TypeScript has assembled. */
export interface ClientEnvironment extends AsyncDisposable {
  /** Where its tests find the servers, the keys and the assembled bytes. */
  readonly variables: Readonly<Record<string, string>>;
  readonly context: AssembledContext;
}

/** Serves what the tests of the clients in other languages call, and has a context assembled to compare with. */
export async function serveClients(): Promise<ClientEnvironment> {
  const exchange = mkdtempSync(join(tmpdir(), "loci-polyglot-exchange-"));
  const { key, entry } = createApiKey({ tenant: "acme", roles: ["read", "write"], scopes: ["*"] });
  // What agents remember is in no other test's way: how much a word counts for depends on all that a tenant has.
  const agents = createApiKey({ tenant: "agents", roles: ["read", "write", "approve"], scopes: ["*"] });
  // The server's certificate may stand for a client, too.
  const files = { certificateFile: join(certificates, "server.pem"), privateKeyFile: join(certificates, "server.key") };
  const administrators = createApiKey({ tenant: "agents", roles: ["admin"], scopes: ["*"] });
  const server = await serveLoci({ apiKeys: [entry, agents.entry, administrators.entry], tls: files });
  const certifying = await serveLoci({
    tls: { ...files, clientCaFile: authority },
    clientCertificates: [{ name: "DNS:localhost", tenant: "acme", roles: ["read"], scopes: ["user:ann"] }],
  });
  await using loci = connectLoci({ address: server.address, apiKey: key, tls: { ca: readFileSync(authority) } });
  await loci.memories.rememberMany(memories);
  const context = await loci.assemble(request);
  writeFileSync(
    join(exchange, "request.binpb"),
    proto.AssembleContextRequest.encode(assembleRequestToProto(request)).finish(),
  );
  writeFileSync(
    join(exchange, "response.binpb"),
    proto.AssembleContextResponse.encode(assembledContextToProto(context)).finish(),
  );
  return {
    context,
    variables: {
      LOCI_TEST_ADDRESS: server.address,
      LOCI_TEST_API_KEY: key,
      LOCI_TEST_AGENTS_API_KEY: agents.key,
      LOCI_TEST_ADMINISTRATORS_API_KEY: administrators.key,
      LOCI_TEST_AUTHORITY: authority,
      LOCI_TEST_CERTIFYING_ADDRESS: certifying.address,
      LOCI_TEST_CERTIFICATE: files.certificateFile,
      LOCI_TEST_CERTIFICATE_KEY: files.privateKeyFile,
      LOCI_TEST_EXCHANGE: exchange,
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([server, certifying].map((served) => served[Symbol.asyncDispose]()));
      rmSync(exchange, { recursive: true });
    },
  };
}
