/** Where the values of a JSON text stand. */
export interface JsonLines {
  /** Lines from 1, by paths such as `sections[2].name`. */
  readonly lines: ReadonlyMap<string, number>;
  /** How deep it is nested. The reading ends where that is more than allowed. */
  readonly depth: number;
  readonly depthLine: number;
}

interface Container {
  readonly path: string;
  readonly isList: boolean;
  index: number;
  key: string;
}

/** A text without its end goes on to the end of the file: otherwise each of its quotes would be tried again. */
const tokens = /"(?:[^"\\]|\\[^]?)*(?:"|$)|[[\]{},:\n]|[^\s"[\]{},:]+/g;

/** Finds the lines of all values in one pass, without recursion. Of a text that is not JSON, what can be made out. */
export function jsonLines(text: string, maxDepth: number): JsonLines {
  const lines = new Map<string, number>();
  const open: Container[] = [];
  let line = 1;
  let expectsKey = false;
  const pathHere = (): string => {
    const container = open.at(-1);
    if (container === undefined) return "";
    if (container.isList) return `${container.path}[${container.index}]`;
    return container.path === "" ? container.key : `${container.path}.${container.key}`;
  };
  for (const [token] of text.matchAll(tokens)) {
    if (token === "\n") {
      line++;
      continue;
    }
    const container = open.at(-1);
    if (token === "}" || token === "]") open.pop();
    else if (token === ",") {
      if (container?.isList === true) container.index++;
      expectsKey = container?.isList === false;
    } else if (token === ":") expectsKey = false;
    else if (expectsKey && container !== undefined) {
      container.key = token.slice(1, -1);
      lines.set(pathHere(), line);
    } else {
      const path = pathHere();
      if (!lines.has(path)) lines.set(path, line);
      if (token !== "{" && token !== "[") continue;
      open.push({ path, isList: token === "[", index: 0, key: "" });
      expectsKey = token === "{";
      if (open.length > maxDepth) return { lines, depth: open.length, depthLine: line };
    }
  }
  return { lines, depth: open.length, depthLine: line };
}
