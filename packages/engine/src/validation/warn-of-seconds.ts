import type { Instant, Memory, MemoryWarning } from "@loci/domain";

/** As seconds these are the years 2001 to 2103, as milliseconds a month of 1970 that hardly anybody remembers something of. */
const likelySeconds = { from: 1e9, to: 4.2e9 };

/** Tells of times that were given in seconds, as it seems: what was said today would be more than fifty years old. */
export function secondsWarnings({ createdAt, validFrom, validTo }: Memory): readonly MemoryWarning[] {
  return Object.entries({ createdAt, validFrom, validTo }).flatMap(([field, instant]) =>
    instant === undefined || !isLikelySeconds(instant) ? [] : [secondsWarning(field, instant)],
  );
}

function isLikelySeconds(instant: Instant): boolean {
  return instant >= likelySeconds.from && instant <= likelySeconds.to;
}

function secondsWarning(field: string, instant: Instant): MemoryWarning {
  return {
    reason: "TIME_IN_SECONDS",
    message: `${field} is ${new Date(instant).toISOString()}; read as seconds it would be ${new Date(instant * 1_000).toISOString()}.`,
    advice:
      "Times are milliseconds since 1970, as Date.now() gives them. If seconds were meant, forget this memory and store it with a thousand times as much.",
  };
}
