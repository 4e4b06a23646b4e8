import { expect, onTestFinished, test } from "vitest";
import { codeOfWriting, writingTrouble } from "../src/writable-directory.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

test("a disk that is mounted read-only is named as such, and what to do about it", () => {
  expect(writingTrouble("EROFS")).toEqual({
    problem: "the file system is mounted read-only",
    advice: expect.stringContaining("Mount it for writing") as string,
  });
  for (const code of ["EACCES", "ENOENT", undefined]) expect(writingTrouble(code)).toBeUndefined();
});

test("the system says why nothing can be written, SQLite does not", () => {
  const { directory, remove } = temporaryDirectory();
  onTestFinished(remove);
  expect(codeOfWriting(directory)).toBeUndefined();
  expect(codeOfWriting(`${directory}/gone`)).toBe("ENOENT");
});
