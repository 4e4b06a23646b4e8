import type { TimeSource } from "./source-time.ts";

/** A file of a folder that could not be read as a text. What was remembered of it before stays. */
export interface LeftOutFile {
  readonly path: string;
  /** What is wrong with it, and what to do, in sentences. */
  readonly problem: string;
}

/** A file with sections that hold a secret. */
export interface RefusedFile {
  readonly path: string;
  /** How many of them were left out. */
  readonly sections: number;
}

/** A document of which something is remembered, and whose file is not there any more. */
export interface MissingFile {
  readonly source: string;
  /** How many memories there are of it. */
  readonly memories: number;
}

/** What an import did. Importing the same files again finds everything unchanged. */
export interface ImportReport {
  readonly files: number;
  /** Stored for the first time. */
  readonly added: number;
  /** The file says something else now: a new version was made. */
  readonly changed: number;
  /** No longer in the file, or of a file that is gone, where that is asked for: forgotten. */
  readonly removed: number;
  readonly unchanged: number;
  /** Sections that hold a secret: they are left out. */
  readonly refused: number;
  /** The files that they are in. */
  readonly refusedIn: readonly RefusedFile[];
  /** Of how many documents the time was found where. Turns of conversations say when they were said. */
  readonly times: Readonly<Record<TimeSource, number>>;
  readonly leftOut: readonly LeftOutFile[];
  /** Below the folders, and remembered still: their files were deleted, renamed or moved since they were imported. */
  readonly missing: readonly MissingFile[];
}

/** Called after each step of an import, to show how far it is. */
export type ImportProgress = (done: number, total: number) => void;

export const emptyReport: ImportReport = {
  files: 0,
  added: 0,
  changed: 0,
  removed: 0,
  unchanged: 0,
  refused: 0,
  refusedIn: [],
  times: { frontMatter: 0, git: 0, file: 0 },
  leftOut: [],
  missing: [],
};

/** The sum of two reports. */
export function addReports(left: ImportReport, right: ImportReport): ImportReport {
  return {
    files: left.files + right.files,
    added: left.added + right.added,
    changed: left.changed + right.changed,
    removed: left.removed + right.removed,
    unchanged: left.unchanged + right.unchanged,
    refused: left.refused + right.refused,
    refusedIn: [...left.refusedIn, ...right.refusedIn],
    times: {
      frontMatter: left.times.frontMatter + right.times.frontMatter,
      git: left.times.git + right.times.git,
      file: left.times.file + right.times.file,
    },
    leftOut: [...left.leftOut, ...right.leftOut],
    missing: [...left.missing, ...right.missing],
  };
}
