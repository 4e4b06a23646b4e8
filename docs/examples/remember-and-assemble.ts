import { connectLocalLoci } from "@loci/client";

await using loci = connectLocalLoci(); // the server that has LOCI_DATA_DIR open, with the key it keeps there

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
