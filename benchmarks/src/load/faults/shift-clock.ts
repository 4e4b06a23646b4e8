// Loaded into a server before anything else: its clock is ahead of the machine's by LOCI_CLOCK_AHEAD_SECONDS.
const ahead = Number(process.env["LOCI_CLOCK_AHEAD_SECONDS"] ?? 0) * 1_000;
const RealDate = Date;

class AheadDate extends RealDate {
  constructor(...values: readonly unknown[]) {
    super(...((values.length === 0 ? [RealDate.now() + ahead] : values) as [number]));
  }

  static override now(): number {
    return RealDate.now() + ahead;
  }
}

globalThis.Date = AheadDate as DateConstructor;
