import { type EncryptionKeys, openEngine, roles, tenantId } from "@loci/loci";

// Seals a data directory under the current key, and says how far it is, until it is killed.

const { dataDirectory, encryption } = JSON.parse(process.env["LOCI_TEST_LOAD"] ?? "") as {
  readonly dataDirectory: string;
  readonly encryption: EncryptionKeys;
};
await using engine = await openEngine({ dataDirectory, encryption, index: "memory" });
const loci = engine.for({ tenant: tenantId("acme"), subject: "test", roles, scopePatterns: ["*"] });
const report = await loci.maintenance.encrypt(
  {},
  { onProgress: ({ done }) => process.stdout.write(`${JSON.stringify({ done })}\n`) },
);
process.stdout.write(`${JSON.stringify({ counts: report.counts })}\n`);
