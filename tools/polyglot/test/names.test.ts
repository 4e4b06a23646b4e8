// Whoever knows one client finds each call in the others: by the same words, as each language writes them.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { connectLoci } from "@loci/client";
import { expect, test } from "vitest";
import { clientFolders } from "../toolchains.ts";

/** Where the methods of each part of the interface are: the class in Python, and the type in Go. */
const parts: Readonly<Record<string, readonly [python: string, go: string]>> = {
  "": ["AsyncLoci", "Client"],
  memories: ["AsyncMemories", "Memories"],
  sessions: ["AsyncSessions", "Sessions"],
  "sessions.turnState": ["AsyncTurnStates", "TurnState"],
  blocks: ["AsyncBlocks", "Blocks"],
  "blocks.schemas": ["AsyncBlockSchemas", "BlockSchemas"],
  "blocks.profile": ["AsyncProfile", "Profile"],
  captures: ["AsyncCaptures", "Captures"],
  "captures.reviews": ["AsyncReviews", "Reviews"],
  receipts: ["AsyncReceipts", "Receipts"],
  tokens: ["AsyncTokens", "Tokens"],
  budget: ["AsyncBudget", "Budget"],
  maintenance: ["AsyncMaintenance", "Maintenance"],
};

/** The methods of TypeScript's client by the part they are in, and the parts that are in another. */
async function namesInTypeScript(): Promise<ReadonlyMap<string, readonly string[]>> {
  const names = new Map<string, string[]>();
  const read = (part: string, value: object): void => {
    names.set(part, Object.keys(value));
    for (const [name, member] of Object.entries(value))
      if (typeof member === "object") read(part === "" ? name : `${part}.${name}`, member as object);
  };
  const loci = connectLoci({ address: "127.0.0.1:1" });
  read("", loci);
  await loci.close();
  return names;
}

function sourcesOf(folder: string, ending: string): string {
  const files = readdirSync(folder).filter((file) => file.endsWith(ending));
  return files.map((file) => readFileSync(join(folder, file), "utf8")).join("\n");
}

/** The methods and properties of Python's classes, those of a class's base among them. */
function namesInPython(): (type: string) => readonly string[] {
  const source = sourcesOf(join(clientFolders.python, "src/loci_client/asynchronous"), ".py");
  return function namesOf(type: string): readonly string[] {
    const [, base = "", body = ""] =
      new RegExp(`^class ${type}(?:\\((\\w+)\\))?:\\n((?:    .*\\n|\\n)*)`, "m").exec(source) ?? [];
    const own = [...body.matchAll(/^ {4}(?:async )?def ([a-z]\w*)\(/gm)].map(([, name = ""]) => name);
    return base === "" ? own : [...namesOf(base), ...own];
  };
}

/** The methods and fields of Go's types. */
function namesInGo(): (type: string) => readonly string[] {
  const source = sourcesOf(clientFolders.go, ".go");
  return (type) => {
    const methods = source.matchAll(new RegExp(`^func \\(\\w+ \\*${type}\\) ([A-Z]\\w*)\\(`, "gm"));
    const [, fields = ""] = new RegExp(`^type ${type} struct \\{\\n((?:\\t.*\\n|\\n)*)`, "m").exec(source) ?? [];
    return [...methods, ...fields.matchAll(/^\t([A-Z]\w*) /gm)].map(([, name = ""]) => name);
  };
}

const names = await namesInTypeScript();

test("every part of the interface is looked at", () => {
  expect([...names.keys()].toSorted()).toEqual(Object.keys(parts).toSorted());
});

test.each(Object.entries(parts))(
  "the names of the part '%s' are the same words in Python and Go",
  (part, [python, go]) => {
    const wanted = names.get(part) ?? [];
    expect(namesInPython()(python)).toEqual(expect.arrayContaining(wanted.map(inSnakeCase)));
    expect(namesInGo()(go)).toEqual(expect.arrayContaining(wanted.map(inPascalCase)));
  },
);

test("the README of the Python client names every method", () => {
  const readme = readFileSync(join(clientFolders.python, "README.md"), "utf8");
  const [table = ""] = /^\| group(?:.*\|\n)+/m.exec(readme) ?? [];
  const methods = [...names].flatMap(([part, members]) =>
    members.filter((member) => !names.has(part === "" ? member : `${part}.${member}`)),
  );
  expect(methods.map(inSnakeCase).filter((name) => !table.includes(`\`${name}\``))).toEqual([]);
});

function inSnakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function inPascalCase(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
