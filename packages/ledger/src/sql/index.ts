/** What ledgers in SQL databases share: the rule of commits, rows to words and back, their refusals, and what a purge takes. */
export * from "./commit-plan.ts";
export * from "./encode-commit.ts";
export * from "./erased-request.ts";
export * from "./indexed-fields.ts";
export * from "./job-rows.ts";
export * from "./ledger-table.ts";
export * from "./plan-commit.ts";
export * from "./plan-resources.ts";
export * from "./record-json.ts";
export * from "./refs-to-purge.ts";
export * from "./refusals.ts";
export * from "./request-answer.ts";
export * from "./resource-rows.ts";
export * from "./rows.ts";
export * from "./saturating-sum.ts";
export * from "./text-key.ts";
export * from "./vector-bytes.ts";
