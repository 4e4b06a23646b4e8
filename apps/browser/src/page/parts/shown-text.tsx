import { shownParts } from "../text/shown-parts.ts";

/** A text of somebody else: a text node and nothing more, with a mark for each character that nobody would see. */
export function ShownText({ text }: { readonly text: string }) {
  return (
    <bdi>
      {shownParts(text).map(({ text, isMark }, index) =>
        isMark ? (
          <span key={index} class="unseen" title="A character that is invisible or turns others around">
            {text}
          </span>
        ) : (
          text
        ),
      )}
    </bdi>
  );
}
