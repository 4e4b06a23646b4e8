import { checkOptions, LociError, shownValue } from "@loci/domain";

/** How receipts of contexts are kept. */
export interface KeptReceiptsOptions {
  /** For how long, in milliseconds: a whole number from one minute to 30 days. Of a tenant the newest 10,000 are kept in any case. */
  readonly keepMilliseconds: number;
}

const field = "receipts.keepMilliseconds";
const leastReceiptTime = 60_000;
const mostReceiptTime = 30 * 24 * 60 * 60 * 1_000;

const optionNames: ReadonlySet<string> = new Set(["keepMilliseconds"]);

/** 0 when none are kept. @throws LociError `INVALID_CONFIGURATION` */
export function keptMilliseconds(options: KeptReceiptsOptions | undefined): number {
  if (options === undefined) return 0;
  checkOptions(options, optionNames, "receipts");
  const { keepMilliseconds: kept } = options;
  if (Number.isInteger(kept) && kept >= leastReceiptTime && kept <= mostReceiptTime) return kept;
  throw new LociError("INVALID_CONFIGURATION", {
    message: `${field} is ${shownValue(kept)}, but must be a whole number from ${leastReceiptTime} to ${mostReceiptTime}.`,
    field,
    advice: "Say it in milliseconds: 86400000 is a day. Leave receipts out to keep none.",
  });
}

const unitMilliseconds: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** The milliseconds of a time as people write it: `off` (0), or from `1m` to `30d`. Undefined: it is none. */
export function receiptTimeOf(text: string): number | undefined {
  if (text === "off") return 0;
  const [, amount = "", unit = ""] = /^([1-9]\d{0,6})([mhd])$/u.exec(text) ?? [];
  const milliseconds = Number(amount) * (unitMilliseconds[unit] ?? 0);
  return milliseconds >= leastReceiptTime && milliseconds <= mostReceiptTime ? milliseconds : undefined;
}
