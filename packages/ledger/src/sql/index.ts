/** What ledgers in SQL databases share: rows to words and back, and their refusals. */
export * from "./indexed-fields.ts";
export * from "./record-json.ts";
export * from "./refusals.ts";
export * from "./rows.ts";
export * from "./vector-bytes.ts";
