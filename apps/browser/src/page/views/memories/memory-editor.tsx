import { useEffect, useRef, useState } from "preact/hooks";
import type { Memory } from "@loci/api-web";
import { memories, newRequestId } from "../../api/calls.ts";
import { type Failure, failureOf } from "../../api/failure.ts";
import { FailureNote } from "../../parts/failure-note.tsx";
import { ShownText } from "../../parts/shown-text.tsx";
import { WordDifference } from "../../parts/word-difference.tsx";
import { notice } from "../../state/notice.ts";
import { changes } from "../../state/changes.ts";
import { restoreVersion } from "./forget-memory.ts";
import { changeOf, draftOf, type MemoryDraft } from "./memory-draft.ts";

interface MemoryEditorProps {
  readonly memory: Memory;
  readonly onDone: () => void;
}

/** Changes a memory as it is on the screen. One that somebody else has changed meanwhile is shown beside what was typed. */
export function MemoryEditor({ memory, onDone }: MemoryEditorProps) {
  const [base] = useState(memory);
  const [draft, setDraft] = useState(() => draftOf(memory));
  const [failure, setFailure] = useState<Failure | undefined>(undefined);
  const [theirs, setTheirs] = useState<Memory | undefined>(undefined);
  const [isSaving, setIsSaving] = useState(false);
  const text = useRef<HTMLTextAreaElement>(null);
  useEffect(() => text.current?.focus(), []);
  const { paths, memory: changed } = changeOf(draftOf(base), draft);

  const save = async (etag: string): Promise<void> => {
    setFailure(undefined);
    setIsSaving(true);
    try {
      const request = { memory: { id: memory.id, etag, ...changed }, updateMask: { paths }, requestId: newRequestId() };
      await memories.updateMemory(request);
      changes.value++;
      const undo = (): Promise<void> => restoreVersion(memory.id, theirs?.version ?? base.version);
      notice.value = { text: "The memory is changed.", undo };
      onDone();
    } catch (error) {
      const known = failureOf(error);
      setFailure(known);
      if (known.reason === "VERSION_CONFLICT") setTheirs((await memories.getMemory({ id: memory.id })).memory);
    } finally {
      setIsSaving(false);
    }
  };
  return (
    <form
      class="editor"
      aria-label="Edit"
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        onDone();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        void save(theirs?.etag ?? base.etag);
      }}
    >
      <DraftFields draft={draft} text={text} onChange={(some) => setDraft((before) => ({ ...before, ...some }))} />
      {failure !== undefined && theirs === undefined && <FailureNote failure={failure} />}
      {theirs !== undefined && (
        <section class="note conflict" role="alert">
          <p>
            <strong>Somebody has changed it meanwhile: VERSION_CONFLICT.</strong>
          </p>
          <h3>As it is now, v{String(theirs.version)}</h3>
          <p class="text">
            <ShownText text={theirs.text} />
          </p>
          <h3>Yours, compared with that</h3>
          <WordDifference before={theirs.text} after={draft.text} />
        </section>
      )}
      <div class="actions">
        <button type="submit" class="primary" disabled={paths.length === 0 || isSaving}>
          {theirs === undefined ? "Save" : "Save mine over it"}
        </button>
        <button
          type="button"
          onClick={() => {
            if (theirs !== undefined) changes.value++;
            onDone();
          }}
        >
          {theirs === undefined ? "Cancel" : "Keep theirs"}
        </button>
      </div>
    </form>
  );
}

interface DraftFieldsProps {
  readonly draft: MemoryDraft;
  readonly text: { current: HTMLTextAreaElement | null };
  readonly onChange: (some: Partial<MemoryDraft>) => void;
}

function DraftFields({ draft, text, onChange }: DraftFieldsProps) {
  const typed = (name: Exclude<keyof MemoryDraft, "text" | "isPinned">) => ({
    value: draft[name],
    autocomplete: "off",
    onInput: (event: { readonly currentTarget: HTMLInputElement }) => onChange({ [name]: event.currentTarget.value }),
  });
  return (
    <>
      <label class="field">
        <span>Text</span>
        <textarea
          ref={text}
          rows={5}
          value={draft.text}
          onInput={(event) => onChange({ text: event.currentTarget.value })}
        />
      </label>
      <div class="editor-lines">
        <label class="field">
          <span>Category</span>
          <input type="text" {...typed("category")} />
        </label>
        <label class="field">
          <span>Importance</span>
          <input type="number" min={0} max={1} step="any" {...typed("importance")} />
        </label>
        <label class="field">
          <span>Slot</span>
          <input type="text" {...typed("slot")} />
        </label>
        <label class="field">
          <span>True from</span>
          <input type="datetime-local" step={1} {...typed("validFrom")} />
        </label>
        <label class="field">
          <span>True until</span>
          <input type="datetime-local" step={1} {...typed("validTo")} />
        </label>
        <label class="check">
          <input
            type="checkbox"
            checked={draft.isPinned}
            onChange={(event) => onChange({ isPinned: event.currentTarget.checked })}
          />
          Pinned
        </label>
      </div>
    </>
  );
}
