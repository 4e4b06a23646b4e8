import { ShownText } from "./shown-text.tsx";
import { wordDifferences } from "../text/word-differences.ts";

/** One text with what was taken out and put in. */
export function WordDifference({ before, after }: { readonly before: string; readonly after: string }) {
  return (
    <p class="text">
      {wordDifferences(before, after).map(({ text, kind }, index) => {
        const words = <ShownText text={text} />;
        if (kind === "removed") return <del key={index}>{words}</del>;
        return kind === "added" ? <ins key={index}>{words}</ins> : <span key={index}>{words}</span>;
      })}
    </p>
  );
}
