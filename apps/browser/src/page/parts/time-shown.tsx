import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { millisecondsOf, shownTime } from "../text/times.ts";

/** A time in full. */
export function TimeShown({ time }: { readonly time: Timestamp }) {
  const milliseconds = millisecondsOf(time);
  const isDate = Math.abs(milliseconds) <= 8.64e15;
  return isDate ? (
    <time dateTime={new Date(milliseconds).toISOString()}>{shownTime(milliseconds)}</time>
  ) : (
    <span>{shownTime(milliseconds)}</span>
  );
}
