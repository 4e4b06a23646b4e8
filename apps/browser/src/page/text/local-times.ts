import { type Timestamp, timestampFromMs } from "@bufbuild/protobuf/wkt";
import { millisecondsOf, shownTime } from "./times.ts";

/** As a field for date and time has it, to the second. Empty: there is none. */
export function localTime(time: Timestamp | undefined): string {
  return time === undefined ? "" : shownTime(millisecondsOf(time)).replace(" ", "T");
}

/** What such a field says. Undefined: nothing. */
export function timeOfField(text: string): Timestamp | undefined {
  const milliseconds = new Date(text).getTime();
  return Number.isNaN(milliseconds) ? undefined : timestampFromMs(milliseconds);
}
