import { useEffect, useState } from "preact/hooks";
import { contexts } from "../../api/calls.ts";
import { useLoaded } from "../../api/use-loaded.ts";
import { useScopes } from "../../api/use-scopes.ts";
import { EmptyNote } from "../../parts/empty-note.tsx";
import { FailureNote } from "../../parts/failure-note.tsx";
import { WaitingNote } from "../../parts/waiting-note.tsx";
import { changeSettings, route } from "../../state/route.ts";
import { chosenScopes } from "../../state/chosen-scopes.ts";
import { KeptReceiptList } from "./kept-receipt-list.tsx";
import { openReceipt } from "./open-receipt.ts";
import { readReceiptFile } from "./read-receipt.ts";
import { type ShownWindow, windowOf } from "./shown-window.ts";
import { WindowForm } from "./window-form.tsx";
import { WindowResult } from "./window-result.tsx";
import { windowRequest, windowSettings } from "./window-settings.ts";

/** What a context holds, section by section, and what found no place in it. */
export function WindowView() {
  const { settings } = route.value;
  const scopes = useScopes();
  const [opened, setOpened] = useState<ShownWindow | Error | undefined>(undefined);
  const asked = chosenScopes(settings, scopes.value ?? []);
  const request = windowRequest(settings, asked);
  const key = windowSettings.map((name) => settings.get(name) ?? "").join("\n");
  const [kept, other] = [settings.get("receipt") ?? "", settings.get("with") ?? ""];
  const receipt = useLoaded(kept === "" ? undefined : kept, (signal) => openReceipt(kept, signal));
  const compared = useLoaded(other === "" ? undefined : other, (signal) => openReceipt(other, signal));
  const context = useLoaded(request === undefined || kept !== "" ? undefined : `${asked.length} ${key}`, (signal) =>
    contexts.assembleContext(request ?? {}, { signal }),
  );
  // What is asked next takes the place of a receipt.
  useEffect(() => setOpened(undefined), [key, kept]);
  const open = async (file: File): Promise<void> => {
    try {
      setOpened(await readReceiptFile(file));
    } catch (error) {
      setOpened(error instanceof Error ? error : new Error(String(error)));
    }
  };
  const assembled = context.value === undefined ? undefined : windowOf(context.value, settings.get("q") ?? "");
  const shown = opened instanceof Error ? undefined : (opened ?? receipt.value ?? assembled);
  return (
    <div class="sheet">
      <h1>What is in the window?</h1>
      {scopes.failure !== undefined && <FailureNote failure={scopes.failure} retry={scopes.reload} />}
      {scopes.value !== undefined && (
        <WindowForm key={key} scopes={scopes.value} settings={settings} onReceipt={(file) => void open(file)} />
      )}
      {opened instanceof Error && (
        <div class="note failure" role="alert">
          <p>
            <strong>{opened.message}</strong>
          </p>
          <p>Choose the JSON of a receipt, or of a context with its receipt, as loci assemble --json prints it.</p>
        </div>
      )}
      <KeptReceiptList open={kept} isFolded={shown !== undefined && other === ""} />
      {context.isLoading && opened === undefined && <WaitingNote what="Assembling" />}
      {(receipt.isLoading || compared.isLoading) && <WaitingNote what="Opening the receipt" />}
      {[context, receipt, compared].map(
        ({ failure, reload }) => failure !== undefined && <FailureNote failure={failure} retry={reload} />,
      )}
      {shown !== undefined && (
        <WindowResult
          window={shown}
          before={compared.value}
          onEndOfComparison={compared.value === undefined ? undefined : () => changeSettings({ with: "" })}
        />
      )}
      {request === undefined && kept === "" && opened === undefined && scopes.value !== undefined && (
        <EmptyNote title="Assemble a context as an agent would.">
          <p>
            You see what each section takes of the window, what was kept, shortened and dropped, and the text itself.
          </p>
        </EmptyNote>
      )}
    </div>
  );
}
