/** How long one case may take: a limit against hanging, as no case measures time. A night's attempts are more than a day's. */
export const caseTimeoutMilliseconds: number = process.env["LOCI_LEDGER_ATTEMPTS"] === undefined ? 120_000 : 7_200_000;
