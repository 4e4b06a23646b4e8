import {
  type CapturedCategory,
  capturedCategories,
  checkChoice,
  checkList,
  LociError,
  maxCaptureInstructions,
} from "@loci/domain";

/** @throws LociError `INVALID_TEXT` for what is empty, longer than 2,000 UTF-16 units, or no text */
export function checkCaptureInstructions(instructions: string, path: string): string {
  const problem =
    typeof instructions !== "string"
      ? "must be text"
      : !instructions.isWellFormed()
        ? "holds half of a surrogate pair"
        : instructions.includes("\0")
          ? "holds a NUL character"
          : instructions.trim() === ""
            ? "is empty"
            : instructions.length > maxCaptureInstructions
              ? `has ${instructions.length} UTF-16 units`
              : undefined;
  if (problem === undefined) return instructions;
  throw new LociError("INVALID_TEXT", {
    message: `${path} ${problem}.`,
    field: path,
    advice: `Use 1 to ${maxCaptureInstructions} UTF-16 units of text, or leave it out.`,
  });
}

/** Each once, in the order in which they are known. @throws LociError `INVALID_REQUEST` */
export function checkCaptureExcept(categories: readonly CapturedCategory[], path: string): readonly CapturedCategory[] {
  const given = checkList(categories, path, { least: 1, most: capturedCategories.length });
  const asked = new Set(given.map((category, index) => checkChoice(category, capturedCategories, `${path}[${index}]`)));
  return capturedCategories.filter((category) => asked.has(category));
}
