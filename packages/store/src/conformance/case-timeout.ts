/** A night's histories and attempts are longer than a day's. */
const isNightly = ["LOCI_STORE_HISTORIES", "LOCI_STORE_ATTEMPTS"].some((name) => process.env[name] !== undefined);

/** How long one case may take. A limit against hanging: no case measures time. */
export const caseTimeoutMilliseconds: number = isNightly ? 7_200_000 : 120_000;
