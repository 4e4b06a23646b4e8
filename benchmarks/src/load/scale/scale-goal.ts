/** What the page counts up to. */
export const goal = { recallsPerSecond: 1_000, tenants: 100_000, memories: 1_000_000_000 } as const;

/**
 * What nothing here has measured: machines such as can be rented. How much of them may be used leaves room for what comes at once
 * and for one machine that is away.
 */
export const assumed = {
  serverCores: 16,
  databaseCores: 64,
  usedShare: 0.5,
  diskBytes: 16e12,
  syncsPerSecond: 10_000,
} as const;
