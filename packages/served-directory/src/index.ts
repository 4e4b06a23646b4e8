export { findListeningServer } from "./find-listening-server.ts";
export { locateDataDirectory } from "./locate-data-directory.ts";
export { announceServer, findServer, type ServerLocation } from "./served-directory.ts";
