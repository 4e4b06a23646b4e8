import { type LayoutDefinition, LociError } from "@loci/domain";
import { parse as parseToml, TomlError } from "smol-toml";
import { checkLayout, type LocateInLayout } from "./check-layout.ts";
import { jsonLines } from "./json-lines.ts";
import type { Layout } from "./layout.ts";
import { tomlLineOf } from "./toml-lines.ts";

export interface ParseLayoutOptions {
  readonly format: "toml" | "json";
  /** What errors call the text, such as the path it was read from. */
  readonly file: string;
}

const maxLength = 65_536;
/** A layout is four deep: layout, sections, section, rank. */
const maxDepth = 8;

/**
 * Reads a layout that someone wrote.
 *
 * @throws LociError `INVALID_LAYOUT` with the file and the line of what is wrong, in its syntax or in what it says
 */
export function parseLayout(text: string, { format, file }: ParseLayoutOptions): Layout {
  if (text.length > maxLength)
    throw unreadable(file, `it is ${text.length} characters long, more than the ${maxLength} allowed`);
  const { value, lineOf } = format === "toml" ? readToml(text, file) : readJson(text, file);
  const locate: LocateInLayout = (path) => {
    const line = lineOf(path);
    return line === undefined ? file : `${file}, line ${line}`;
  };
  // `checkLayout` takes nothing for granted.
  return checkLayout(value as LayoutDefinition, locate);
}

interface ReadText {
  readonly value: unknown;
  /** The line of a path such as `sections[2].name`, from 1. */
  readonly lineOf: (path: string) => number | undefined;
}

function readToml(text: string, file: string): ReadText {
  try {
    const value: unknown = parseToml(text, { maxDepth });
    return { value, lineOf: (path) => tomlLineOf(text, path) };
  } catch (cause) {
    if (cause instanceof TomlError) throw unreadable(file, firstLine(cause.message), cause.line, cause);
    throw cause;
  }
}

function readJson(text: string, file: string): ReadText {
  const { lines, depth, depthLine } = jsonLines(text, maxDepth);
  if (depth > maxDepth) throw unreadable(file, `it is nested more than ${maxDepth} deep`, depthLine);
  try {
    return { value: JSON.parse(text) as unknown, lineOf: (path) => nearestLine(lines, path) };
  } catch (cause) {
    const { message } = cause as SyntaxError;
    const position = /position (\d+)/.exec(message)?.[1];
    const before = position === undefined ? text : text.slice(0, Number(position));
    throw unreadable(file, firstLine(message), before.split("\n").length, cause);
  }
}

/** The line of a path, else of what it is a part of. */
function nearestLine(lines: ReadonlyMap<string, number>, path: string): number | undefined {
  for (let part = path; part !== ""; part = part.slice(0, Math.max(0, part.search(/(?:\.[^.]*|\[\d+\])$/)))) {
    const line = lines.get(part);
    if (line !== undefined) return line;
  }
  return lines.get("");
}

function firstLine(message: string): string {
  return message.split("\n")[0] ?? message;
}

function unreadable(file: string, fault: string, line?: number, cause?: unknown): LociError {
  return new LociError("INVALID_LAYOUT", {
    message: `${line === undefined ? file : `${file}, line ${line}`}: the layout cannot be read: ${fault}.`,
    field: "layout",
    resource: file,
    advice: "See docs/guides/choose-a-layout.md for an example.",
    cause,
  });
}
