import { formatReceipt, openLoci } from "@loci/loci";

await using loci = await openLoci({ tenant: "local" });

const scope = "project:billing";
await loci.memories.rememberMany([
  { text: "Billing uses PostgreSQL 17 for row-level security.", scope },
  { text: "Deploys happen on Thursdays.", scope },
  { text: "Ann wants short answers.", category: "preference", scope: "user:ann" },
]);

const context = await loci.assemble({
  model: "gpt-4o",
  system: "You help the billing team.",
  query: "Which database does billing use, and why?",
  recall: { scopes: [scope, "user:ann"] },
});

console.log(context.text); // for the model
console.log(formatReceipt(context)); // for you: what is in, and why
