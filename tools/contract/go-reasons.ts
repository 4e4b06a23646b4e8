import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { type ErrorCode, errorReasons } from "@loci/domain";

/** The reasons of errors as Go constants, with their codes. */
export const goReasons = "packages/client-go/reasons.go";

/** Writes {@link goReasons} from the one table of reasons. */
export function writeGoReasons(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, execFileSync("gofmt", { input: source(), encoding: "utf8" }));
}

function source(): string {
  const codes = Map.groupBy(Object.entries(errorReasons), ([, code]) => code);
  const cases = Array.from(codes, ([code, entries]) => {
    const names = entries.map(([reason]) => camelCase(reason));
    return `case ${names.join(",\n")}:\nreturn ${sentinel(code)}\n`;
  });
  return `// Code generated from packages/domain/src/error-reasons.ts by npm run generate. DO NOT EDIT.

package loci

// Reason says exactly why a call failed. Each is a sentinel: errors.Is(err, loci.VersionConflict). A later server may give
// others, which keep their text.
type Reason string

// Every reason that this version knows.
const (
${Object.keys(errorReasons)
  .map((reason) => `${camelCase(reason)} Reason = ${JSON.stringify(reason)}\n`)
  .join("")})

// Error gives the reason's own name.
func (reason Reason) Error() string { return string(reason) }

// code gives the kind of failure that the reason is of.
func (reason Reason) code() Code {
switch reason {
${cases.join("")}default:
return ErrInternal
}
}
`;
}

/** `VERSION_CONFLICT` as `VersionConflict`, with initialisms as Go writes them. */
function camelCase(reason: string): string {
  return reason
    .split("_")
    .map((word) => (word === "ID" ? word : `${word.slice(0, 1)}${word.slice(1).toLowerCase()}`))
    .join("");
}

function sentinel(code: ErrorCode): string {
  return `Err${camelCase(code)}`;
}
