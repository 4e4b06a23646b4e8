export { calendarDay, furthestZone, localTimes } from "./local-time.ts";
