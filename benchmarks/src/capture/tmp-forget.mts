import { openLocalEmbedder } from "@loci/embedding";
import { saidOutcomes } from "./said-pairs.ts";
const embedder = await openLocalEmbedder();
const P = [
  ["I'm allergic to peanuts.", "Forget that I'm allergic to peanuts."],
  ["I'm allergic to peanuts.", "Please forget that I am allergic to peanuts, I was wrong."],
  ["I live in Vienna.", "Forget that I live in Vienna."],
  ["I live in Vienna.", "Please forget where I live."],
  ["My email is ann@example.org.", "Forget my email address."],
  ["I work at Siemens as a nurse.", "You can forget about my job at Siemens."],
  ["I work at Siemens as a nurse.", "I no longer work at Siemens."],
  ["I prefer tea over coffee.", "Forget what I said about tea."],
  ["I have two cats.", "Delete that I have two cats."],
  ["I have two cats.", "Remove my cats from your memory."],
  ["My name is Ann and I live in Vienna.", "Actually, I moved to Graz last week."],
  ["I'm allergic to peanuts.", "Don't forget that I'm allergic to peanuts."],
  ["I live in Vienna.", "I always forget that I live in the first district now."],
  ["I prefer tea over coffee.", "No wait, I prefer coffee."],
];
const out = await saidOutcomes(P.map(([first, second], i) => ({ id: String(i), isTuned: true, ends: true, first: first!, second: second! })), embedder);
for (const { pair, known, ended } of out) console.log(JSON.stringify(pair.first), "|", JSON.stringify(pair.second), "\n    known", known.map((k) => k.text).join(" ; "), "\n    ended", ended.join(" ; "));
await embedder.close();
