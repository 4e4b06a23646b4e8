/** Remembers one thing, copies the ledger while it is in use, remembers more, and dies without a word. */
import { backupSqliteLedger } from "@loci/ledger-sqlite";
import { openEngine, tenantId } from "@loci/loci";
import { WordEmbedder } from "../word-embedder.ts";

const [dataDirectory = "", copy = ""] = process.argv.slice(2);
const engine = await openEngine({ dataDirectory, index: "embedded", embedder: new WordEmbedder("words", 64) });
const loci = engine.for({ tenant: tenantId("acme"), subject: "test", roles: ["read", "write"], scopePatterns: ["*"] });
await loci.memories.remember({ text: "The word is before.", scope: "global" });
await loci.settled();
await backupSqliteLedger(dataDirectory, copy);
await loci.memories.remember({ text: "The word is after.", scope: "global" });
await loci.settled();
process.kill(process.pid, "SIGKILL");
