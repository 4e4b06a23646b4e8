// A stranger's program, in CommonJS: remembers, recalls and assembles in the directory that it is given.
const process = require("node:process");
const { openLoci } = require("@loci/loci");

async function main() {
  const loci = await openLoci({ tenant: "acme", dataDirectory: process.argv[2] });
  await loci.memories.remember({ text: "Billing uses PostgreSQL 17.", scope: "project:billing" });
  const { hits } = await loci.recall({ query: "Which database does billing use?", scopes: ["project:billing"] });
  const context = await loci.assemble({
    model: "gpt-4o",
    system: "You are terse.",
    query: "Which database does billing use?",
    recall: { scopes: ["project:billing"] },
  });
  await loci.close();
  console.log(JSON.stringify({ recalled: hits.map(({ memory }) => memory.text), context: context.text }));
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
