import { connectLoci } from "@loci/client";

const address = process.env["LOCI_ADDRESS"] ?? "localhost:5624";
await using loci = connectLoci({ address });

await loci.memories.remember({
  text: "We chose PostgreSQL 17 for billing because of its row-level security.",
  scope: "project:billing",
});

const context = await loci.assemble({
  model: "gpt-4o",
  system: "You are the assistant of the billing team.",
  query: "Which database does billing use, and why?",
  recall: { scopes: ["project:billing"] },
});

console.log(context.text); // send it to the model
