/** A night's histories are longer than a day's. */
export const caseTimeoutMilliseconds: number = process.env["LOCI_STORE_HISTORIES"] === undefined ? 120_000 : 7_200_000;
