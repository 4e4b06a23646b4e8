import { useScopes } from "../../api/use-scopes.ts";
import { FailureNote } from "../../parts/failure-note.tsx";
import { WaitingNote } from "../../parts/waiting-note.tsx";
import { route } from "../../state/route.ts";
import { MemoryDetail } from "./memory-detail.tsx";
import { MemoryList } from "./memory-list.tsx";

/** What is remembered, and one memory with all that is known of it. */
export function MemoriesView() {
  const { settings } = route.value;
  const scopes = useScopes();
  const id = settings.get("id") ?? "";
  return (
    <div class={id === "" ? "memories" : "memories with-detail"}>
      <h1 class="for-readers">Memories</h1>
      {scopes.value === undefined && scopes.failure !== undefined && (
        <FailureNote failure={scopes.failure} retry={scopes.reload} />
      )}
      {scopes.isLoading && <WaitingNote what="Loading scopes" />}
      {scopes.value !== undefined && <MemoryList scopes={scopes.value} settings={settings} />}
      {id !== "" && <MemoryDetail key={id} id={id} />}
    </div>
  );
}
