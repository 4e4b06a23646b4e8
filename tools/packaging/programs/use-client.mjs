// A stranger's program with the client alone: remembers and recalls at the server of the directory that it is given.
import process from "node:process";
import { connectLocalLoci } from "@loci/client";

const loci = connectLocalLoci({ dataDirectory: process.argv[2] });
await loci.memories.remember({ text: "Billing uses PostgreSQL 17.", scope: "project:billing" });
const { hits } = await loci.recall({ query: "Which database does billing use?", scopes: ["project:billing"] });
await loci.close();
console.log(JSON.stringify({ recalled: hits.map(({ memory }) => memory.text) }));
