import { existsSync } from "node:fs";

const places = [
  process.env["LOCI_CHROMIUM"],
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** The machine's Chromium. Undefined: there is none, and what needs it says that it is skipped. */
export const chromium: string | undefined = places.find((place) => place !== undefined && existsSync(place));

/** For the names of suites. */
export const needsChromium: string = chromium === undefined ? " (SKIPPED: no Chromium on this machine)" : "";
