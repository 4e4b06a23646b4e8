import { useEffect, useRef, useState } from "preact/hooks";
import { RowList } from "../../parts/row-list.tsx";
import { focusList } from "../../state/close-detail.ts";
import { notice } from "../../state/notice.ts";
import { saveLines } from "../../text/save-file.ts";
import { counted } from "../../text/words.ts";
import { restoreVersion } from "./forget-memory.ts";
import { type KindOfWork, kindsOfWork, workOf, type WorkTrace } from "./kinds-of-work.ts";
import type { ListedMemories } from "./listed-memories.ts";
import { WorkOnMany } from "./work-on-many.ts";

/** Above so many somebody has to have read how many there are. */
const mostUnread = 20;

interface WorkDialogProps {
  readonly kind: KindOfWork;
  readonly list: ListedMemories;
  readonly onClosed: () => void;
}

/** Asks for what the work needs, does it, and says what became of each memory. */
export function WorkDialog({ kind, list, onClosed }: WorkDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [work, setWork] = useState<WorkOnMany | undefined>(undefined);
  useEffect(() => dialog.current?.showModal(), []);
  const { title, done } = kindsOfWork[kind];

  const start = (asked: string): void => {
    const ids = [...list.selection.places()].flatMap((place) => list.ids.at(place) ?? []);
    const trace: WorkTrace = { lines: [], forgotten: [] };
    const started = new WorkOnMany(ids, workOf(kind, asked, trace));
    setWork(started);
    void finish(started, trace);
  };
  return (
    <dialog
      ref={dialog}
      class="dialog work"
      aria-labelledby="work-title"
      onClose={() => {
        work?.stop();
        if (work !== undefined && kind !== "export") list.selection.none();
        onClosed();
        focusList();
      }}
    >
      <h2 id="work-title">
        {title} {counted(work?.total ?? list.selection.count.value, "memory", "memories")}
      </h2>
      {work === undefined ? (
        <WorkQuestion kind={kind} count={list.selection.count.value} onStart={start} />
      ) : (
        <WorkResults work={work} word={done} />
      )}
    </dialog>
  );
}

async function finish(work: WorkOnMany, { lines, forgotten }: WorkTrace): Promise<void> {
  await work.run();
  if (lines.length > 0) saveLines("memories.jsonl", lines);
  if (forgotten.length > 0) offerUndo(forgotten);
}

function offerUndo(forgotten: WorkTrace["forgotten"]): void {
  notice.value = {
    text: `${counted(forgotten.length, "memory is", "memories are")} forgotten.`,
    undo: async () => {
      // Those that are back already stay back when one of them fails, and Undo goes on with the others.
      while (forgotten.length > 0) {
        const { id, version } = forgotten[0] ?? { id: "", version: 0n };
        await restoreVersion(id, version);
        forgotten.shift();
      }
      notice.value = { text: "The memories are back." };
    },
  };
}

interface WorkQuestionProps {
  readonly kind: KindOfWork;
  readonly count: number;
  readonly onStart: (asked: string) => void;
}

function WorkQuestion({ kind, count, onStart }: WorkQuestionProps) {
  const { title, field, isTime = false } = kindsOfWork[kind];
  const [asked, setAsked] = useState("");
  const [typed, setTyped] = useState("");
  const typing = {
    value: asked,
    onInput: (event: { readonly currentTarget: HTMLInputElement }) => setAsked(event.currentTarget.value),
  };
  const mustType = count > mostUnread && kind !== "export";
  const isReady = (field === undefined || asked.trim() !== "") && (!mustType || typed.trim() === String(count));
  return (
    <form
      method="dialog"
      onSubmit={(event) => {
        if (event.submitter?.matches(".primary, .danger") !== true) return;
        event.preventDefault();
        onStart(asked);
      }}
    >
      {field !== undefined && (
        <label class="field">
          <span>{field}</span>
          {isTime ? <input type="datetime-local" {...typing} /> : <input type="text" {...typing} />}
        </label>
      )}
      {mustType && (
        <label class="field">
          <span>Type {count} to go on</span>
          <input
            inputMode="numeric"
            autocomplete="off"
            value={typed}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        </label>
      )}
      <div class="actions">
        <button type="submit" class={kind === "forget" ? "danger" : "primary"} disabled={!isReady}>
          {title}
        </button>
        <button type="submit">Cancel</button>
      </div>
    </form>
  );
}

function WorkResults({ work, word }: { readonly work: WorkOnMany; readonly word: string }) {
  const [active, setActive] = useState(0);
  const count = work.done.value;
  const isRunning = work.isRunning.value;
  const [unchanged, failed] = [work.count("unchanged"), work.count("failed")];
  return (
    <form method="dialog">
      <p role="status">
        {isRunning && `${count.toLocaleString("en")} of ${work.total.toLocaleString("en")}: `}
        {work.count("done").toLocaleString("en")} {word}
        {unchanged > 0 && `, ${unchanged.toLocaleString("en")} were so already`}
        {failed > 0 && `, ${failed.toLocaleString("en")} failed`}
        {!isRunning && count < work.total && `, ${(work.total - count).toLocaleString("en")} left as they were`}.
      </p>
      {count > 0 && (
        <RowList
          label="Results"
          count={count}
          active={active}
          row={(index) => <WorkResult result={work.results[index]} word={word} />}
          onActive={setActive}
          onOpen={() => undefined}
          onRange={() => undefined}
        />
      )}
      <div class="actions">
        {isRunning && (
          <button type="button" onClick={() => work.stop()}>
            Stop
          </button>
        )}
        <button type="submit">Close</button>
      </div>
    </form>
  );
}

function WorkResult({
  result,
  word,
}: {
  readonly result: WorkOnMany["results"][number] | undefined;
  readonly word: string;
}) {
  if (result === undefined) return null;
  const { outcome, reason, text, id } = result;
  return (
    <>
      <span class={outcome === "failed" ? "outcome outcome-failed" : "outcome"}>
        {outcome === "done" ? word : outcome === "failed" ? reason : "was so already"}
      </span>
      <bdi class="row-text">{text === "" ? id : text}</bdi>
    </>
  );
}
