import { fromMarkdown } from "mdast-util-from-markdown";
import { toString } from "mdast-util-to-string";

interface Node {
  readonly type: string;
  readonly depth?: number;
  readonly children?: readonly Node[];
}

/** Every heading a CommonMark parser finds, in lists and quotes too: `## Title`. The judge of Markdown layouts. */
export function headingsIn(markdown: string): readonly string[] {
  return nodesIn(fromMarkdown(markdown))
    .filter(({ type }) => type === "heading")
    .map((node) => `${"#".repeat(node.depth ?? 0)} ${toString(node as Parameters<typeof toString>[0])}`);
}

/** How many rules, link definitions and blocks of HTML it finds. */
export function otherStructureIn(markdown: string): number {
  return nodesIn(fromMarkdown(markdown)).flatMap(({ type, children = [] }) =>
    !["root", "blockquote", "listItem"].includes(type)
      ? []
      : children.filter((child) => ["thematicBreak", "definition", "html"].includes(child.type)),
  ).length;
}

function nodesIn(node: Node): readonly Node[] {
  return [node, ...(node.children ?? []).flatMap((child) => nodesIn(child))];
}
