import { useEffect, useRef } from "preact/hooks";
import { views } from "../state/route.ts";
import { keyHelpOpen, setSingleKeys, singleKeys } from "../state/use-keys.ts";

const keys: readonly (readonly [string, string])[] = [
  ["/", "to the first field of the view"],
  ...views.map(({ key, title }): [string, string] => [`g ${key}`, title]),
  ["↑ ↓ PgUp PgDn Home End", "move in a list"],
  ["Enter", "open"],
  ["Space  Shift ↑ ↓  Ctrl A", "choose memories, to do something with all of them"],
  ["j k", "in Review: next, back"],
  ["a r", "in Review: approve what is chosen, reject"],
  ["Esc", "close, and back to the list"],
  ["?", "these keys"],
];

/** The keys, and whether single ones act. */
export function KeyHelp() {
  const dialog = useRef<HTMLDialogElement>(null);
  const isOpen = keyHelpOpen.value;
  useEffect(() => (isOpen ? dialog.current?.showModal() : dialog.current?.close()), [isOpen]);
  return (
    <dialog
      ref={dialog}
      class="dialog key-help"
      aria-labelledby="keys-title"
      onClose={() => (keyHelpOpen.value = false)}
    >
      <h2 id="keys-title">Keys</h2>
      <dl>
        {keys.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <label class="check">
        <input
          type="checkbox"
          checked={singleKeys.value}
          onChange={(event) => setSingleKeys(event.currentTarget.checked)}
        />
        Single keys act by themselves
      </label>
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  );
}
