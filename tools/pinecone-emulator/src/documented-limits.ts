/** Limits of the service, as its documentation states them ("Operation limits", "Identifier limits", November 2026). */
export const documentedLimits = {
  upsertRecords: 1_000,
  requestBytes: 2 * 1024 * 1024,
  metadataBytes: 40 * 1024,
  recordIdLength: 512,
  topK: 10_000,
  resultBytes: 4 * 1024 * 1024,
  fetchIds: 1_000,
  deleteIds: 1_000,
  listIds: 100,
  filterValues: 10_000,
  dimensions: 20_000,
  namespaceLength: 512,
  indexNameLength: 45,
  tags: 20,
  tagKeyLength: 80,
  tagValueLength: 120,
  /** Node's own HTTP server refuses longer ones, as most proxies do. */
  addressLength: 8 * 1024,
} as const;
