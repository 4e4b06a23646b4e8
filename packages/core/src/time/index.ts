export { furthestZone, localTimes } from "./local-time.ts";
