import { type Instant, LociError, parseInstant } from "@loci/domain";
import type { Timestamp } from "../gen/google/protobuf/timestamp.ts";

const nanosPerMillisecond = 1_000_000;

/** @throws LociError `INVALID_INSTANT` for what is not whole milliseconds that a calendar can show */
export function instantToProto(instant: Instant, field: string): Timestamp {
  parseInstant(instant, field);
  // A timestamp's nanos count forward, also before 1970.
  const rest = instant % 1_000;
  const milliseconds = rest < 0 ? rest + 1_000 : rest;
  return { seconds: BigInt((instant - milliseconds) / 1_000), nanos: milliseconds * nanosPerMillisecond };
}

export function optionalInstantToProto(instant: Instant | undefined, field: string): Timestamp | undefined {
  return instant === undefined ? undefined : instantToProto(instant, field);
}

/**
 * What is finer than a millisecond is cut off: other languages' clocks tell microseconds or nanoseconds.
 *
 * @throws LociError `INVALID_INSTANT` when it is missing, or a date no calendar can show
 */
export function instantFromProto(timestamp: Timestamp | undefined, field: string): Instant {
  if (timestamp === undefined) return refuse(field, "is missing", `Set ${field}: it is required.`);
  const { seconds, nanos } = timestamp;
  if (nanos < 0 || nanos >= 1_000 * nanosPerMillisecond)
    return refuse(field, `has ${nanos} nanos`, "Pass a timestamp with 0 to 999,999,999 nanos.");
  return parseInstant(Number(seconds) * 1_000 + Math.floor(nanos / nanosPerMillisecond), field);
}

export function optionalInstantFromProto(timestamp: Timestamp | undefined, field: string): Instant | undefined {
  return timestamp === undefined ? undefined : instantFromProto(timestamp, field);
}

function refuse(field: string, problem: string, advice: string): never {
  throw new LociError("INVALID_INSTANT", { message: `${field} ${problem}.`, field, advice });
}
