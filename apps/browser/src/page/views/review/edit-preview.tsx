import type { GetBlockEditResponse } from "@loci/api-web";
import { ShownText } from "../../parts/shown-text.tsx";
import { WordDifference } from "../../parts/word-difference.tsx";
import { counted } from "../../text/words.ts";
import { blockValueText } from "./block-words.ts";

interface EditPreviewProps {
  readonly answer: GetBlockEditResponse;
  /** The block has another version than the edit was made for. */
  readonly isMoved: boolean;
}

/** What the block would say. This is what is approved: its version and its hash go with the decision. */
export function EditPreview({ answer: { preview, conflict }, isMoved }: EditPreviewProps) {
  if (conflict !== undefined || preview === undefined)
    return (
      <div class="note failure" role="alert">
        <p>
          <strong>This cannot be applied to the block as it is now.</strong>
        </p>
        {conflict !== undefined && (
          <p>
            <ShownText text={conflict} />
          </p>
        )}
      </div>
    );
  const { baseVersion, contentHash, diff, archived } = preview;
  return (
    <section class="preview" aria-labelledby="preview-title">
      <h3 id="preview-title">What the block would say</h3>
      {isMoved && (
        <p class="badge warn">
          The block has changed since: this is what it would become of version {String(baseVersion)}.
        </p>
      )}
      {diff.length === 0 && <p class="muted">The same as it does now.</p>}
      {diff.map(({ field, before, after }) => (
        <div key={field} class="preview-field">
          <p class="muted">
            <ShownText text={field} />
          </p>
          <WordDifference before={blockValueText(before)} after={blockValueText(after)} />
        </div>
      ))}
      {archived.length > 0 && (
        <p>{counted(archived.length, "entry", "entries")} would leave the block for the memories.</p>
      )}
      <p class="muted">
        version {String(baseVersion)}, sha <span class="id">{contentHash.slice(0, 12)}</span>
      </p>
    </section>
  );
}
