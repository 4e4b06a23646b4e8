import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "@swc/core";

/** A regular expression as a source file writes it. */
export interface WrittenPattern {
  readonly source: string;
  readonly flags: string;
}

/** What a source file has that reads texts. */
export interface TextReader {
  /** From the workspace's root, such as `packages/core/src/text/fold-text.ts`. */
  readonly file: string;
  readonly patterns: readonly WrittenPattern[];
  /** How often it makes a regular expression of parts that only a run of it knows. */
  readonly composed: number;
  /** Names of its functions that go through a text in a loop, or normalise one. */
  readonly scanners: readonly string[];
}

interface SyntaxNode {
  readonly type?: string;
  readonly [field: string]: unknown;
}

/** Code that runs in products; what is generated or runs in tests only is left out. */
const sources = ["packages/*/src/**/*.ts", "apps/*/src/**/*.ts"];
const leftOut = /\/src\/(?:gen|conformance|testing)\//;
const loops: ReadonlySet<unknown> = new Set([
  "ForStatement",
  "WhileStatement",
  "DoWhileStatement",
  "ForOfStatement",
  "ForInStatement",
]);
/** Methods of texts, and of nothing else that is gone through in a loop. By itself `normalize` goes through one. */
const textMethods: ReadonlySet<unknown> = new Set(["charCodeAt", "codePointAt", "charAt"]);

/** Every file of the products with regular expressions or loops over the characters of a text. */
export function findTextReaders(root: string): readonly TextReader[] {
  return globSync(sources, { cwd: root })
    .filter((file) => !leftOut.test(file))
    .toSorted()
    .map((file) => readersOf(file, readFileSync(join(root, file), "utf8")))
    .filter(({ patterns, composed, scanners }) => patterns.length + composed + scanners.length > 0);
}

/** What the text of one file has. */
export function readersOf(file: string, text: string): TextReader {
  const patterns: WrittenPattern[] = [];
  const scanners = new Set<string>();
  let composed = 0;
  const visit = (node: SyntaxNode, owner: string, isInLoop: boolean): void => {
    if (node.type === "RegExpLiteral") patterns.push({ source: String(node["pattern"]), flags: String(node["flags"]) });
    if (node.type === "NewExpression" && nameOf(node["callee"]) === "RegExp") composed++;
    if (node.type === "MemberExpression") {
      const method = nameOf(node["property"]);
      if (method === "normalize" || (isInLoop && textMethods.has(method))) scanners.add(owner);
    }
    const name = functionName(node) ?? owner;
    // A function that is called in a loop somewhere else has a loop of its own or takes a bounded piece.
    const inLoop = name === owner ? isInLoop || loops.has(node.type) : false;
    for (const child of childrenOf(node)) visit(child, name, inLoop);
  };
  visit(parseSync(text, { syntax: "typescript", target: "es2024" }) as unknown as SyntaxNode, "module", false);
  return { file, patterns, composed, scanners: [...scanners] };
}

function functionName(node: SyntaxNode): string | undefined {
  if (node.type === "FunctionDeclaration") return nameOf(node["identifier"]);
  if (node.type === "ClassMethod" || node.type === "PrivateMethod") return nameOf(node["key"]);
  const value = node["init"];
  const isFunction = isNode(value) && (value.type === "ArrowFunctionExpression" || value.type === "FunctionExpression");
  return node.type === "VariableDeclarator" && isFunction ? nameOf(node["id"]) : undefined;
}

function nameOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  return typeof node["value"] === "string" ? node["value"] : nameOf(node["id"]);
}

function childrenOf(node: SyntaxNode): readonly SyntaxNode[] {
  return Object.values(node).flat().filter(isNode);
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null;
}
