import { randomNumbers } from "./random.ts";

const subjects = [
  "the deploy",
  "our ledger",
  "the nightly job",
  "Mara",
  "the billing team",
  "this index",
  "a customer",
  "the cache",
];
const verbs = ["keeps", "replaces", "waits for", "breaks", "moved to", "depends on", "measures", "asks about"];
const objects = [
  "the old queue",
  "PostgreSQL 17",
  "a smaller window",
  "every invoice",
  "the audit log",
  "two replicas",
  "the new schema",
  "rate limits",
];
const endings = [
  "since Thursday",
  "in production",
  "without a restart",
  "before each release",
  "because of latency",
  "at night",
  "for all tenants",
  "as agreed in the review",
];

/** So many sentences of plain English, the same for the same seed. */
export function prose(seed: number, sentences: number): string {
  const random = randomNumbers(seed);
  const pick = (words: readonly string[]): string => words[Math.floor(random() * words.length)] ?? "";
  return Array.from({ length: sentences }, () => {
    const sentence = `${pick(subjects)} ${pick(verbs)} ${pick(objects)} ${pick(endings)}`;
    return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}, case ${Math.floor(random() * 10_000)}.`;
  }).join(" ");
}
