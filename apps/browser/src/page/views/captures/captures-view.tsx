import { useScopes } from "../../api/use-scopes.ts";
import { FailureNote } from "../../parts/failure-note.tsx";
import { WaitingNote } from "../../parts/waiting-note.tsx";
import { route } from "../../state/route.ts";
import { CaptureDetail } from "./capture-detail.tsx";
import { CaptureList } from "./capture-list.tsx";

/** What was made of sessions, and one capture with what it made of each statement. */
export function CapturesView() {
  const { settings } = route.value;
  const scopes = useScopes();
  const id = settings.get("id") ?? "";
  return (
    <div class={id === "" ? "memories captures" : "memories captures with-detail"}>
      <h1 class="for-readers">Captures</h1>
      {scopes.value === undefined && scopes.failure !== undefined && (
        <FailureNote failure={scopes.failure} retry={scopes.reload} />
      )}
      {scopes.isLoading && <WaitingNote what="Loading scopes" />}
      {scopes.value !== undefined && <CaptureList scopes={scopes.value} settings={settings} />}
      {id !== "" && <CaptureDetail key={id} id={id} />}
    </div>
  );
}
