export { findListeningServer } from "./find-listening-server.ts";
export { isLoopback } from "./is-loopback.ts";
export { locateDataDirectory } from "./locate-data-directory.ts";
export { announceStart, findStartingServer } from "./starting-server.ts";
export { announceServer, findServer, type ServerLocation } from "./served-directory.ts";
