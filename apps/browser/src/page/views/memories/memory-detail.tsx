import { useRef, useState } from "preact/hooks";
import { type Memory, MemoryState } from "@loci/api-web";
import { memories } from "../../api/calls.ts";
import { type Failure, failureOf } from "../../api/failure.ts";
import { useLoaded } from "../../api/use-loaded.ts";
import { DetailPanel } from "../../parts/detail-panel.tsx";
import { FailureNote } from "../../parts/failure-note.tsx";
import { ShownText } from "../../parts/shown-text.tsx";
import { WaitingNote } from "../../parts/waiting-note.tsx";
import { closeDetail } from "../../state/close-detail.ts";
import { mayWrite } from "../../state/rights.ts";
import { fragmentOf } from "../../state/route.ts";
import { scopeText } from "../../text/scopes.ts";
import { changes } from "../../state/changes.ts";
import { forgetMemory, restoreVersion } from "./forget-memory.ts";
import { MemoryEditor } from "./memory-editor.tsx";
import { MemoryFacts } from "./memory-facts.tsx";
import { MemoryVersions } from "./memory-versions.tsx";

/** One memory: its text, every field, and all of its versions. */
export function MemoryDetail({ id }: { readonly id: string }) {
  const versions = useLoaded(`${id} ${changes.value}`, async (signal) => {
    const { memories: versions } = await memories.listMemoryVersions({ id }, { signal });
    return versions;
  });
  const [failure, setFailure] = useState<Failure | undefined>(undefined);
  const [isEditing, setIsEditing] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const current = versions.value?.at(-1);

  const endEditing = (): void => {
    setIsEditing(false);
    heading.current?.focus();
  };
  const act = async (action: () => Promise<void>): Promise<void> => {
    setFailure(undefined);
    try {
      await action();
    } catch (error) {
      setFailure(failureOf(error));
    }
  };
  return (
    <DetailPanel title="Memory" heading={heading}>
      {versions.isLoading && <WaitingNote what="Loading the memory" />}
      {versions.failure !== undefined && <FailureNote failure={versions.failure} retry={versions.reload} />}
      {current !== undefined && versions.value !== undefined && (
        <>
          <MemoryText memory={current} versions={versions.value} />
          <p class="detail-way">
            <a href={fragmentOf("why", { expected: id, scope: scopeText(current.scope) })}>
              Why is it recalled, or not?
            </a>
          </p>
          {failure !== undefined && <FailureNote failure={failure} />}
          {isEditing && <MemoryEditor memory={current} onDone={endEditing} />}
          {mayWrite() && !isEditing && (
            <MemoryActions
              memory={current}
              onEdit={() => setIsEditing(true)}
              onForget={() => void act(() => forgetMemory(current).then(closeDetail))}
              onRestore={(version) => void act(() => restoreVersion(id, version))}
            />
          )}
          <MemoryFacts memory={current} />
          <MemoryVersions
            versions={versions.value}
            onRestore={mayWrite() ? (version) => void act(() => restoreVersion(id, version)) : undefined}
          />
        </>
      )}
    </DetailPanel>
  );
}

/** What it says now; of one that was forgotten what it said last. */
function MemoryText({ memory, versions }: { readonly memory: Memory; readonly versions: readonly Memory[] }) {
  const isForgotten = memory.state === MemoryState.DELETED;
  const { text } = isForgotten ? (versions.at(-2) ?? memory) : memory;
  return (
    <>
      {isForgotten && <p class="badge danger">forgotten</p>}
      {memory.state === MemoryState.QUARANTINED && <p class="badge warn">waits for approval</p>}
      <p class="text detail-text">
        <ShownText text={text} />
      </p>
    </>
  );
}

interface MemoryActionsProps {
  readonly memory: Memory;
  readonly onEdit: () => void;
  readonly onForget: () => void;
  readonly onRestore: (version: bigint) => void;
}

function MemoryActions({ memory: { state, version }, onEdit, onForget, onRestore }: MemoryActionsProps) {
  return (
    <div class="actions">
      {state === MemoryState.DELETED ? (
        <button type="button" onClick={() => onRestore(version - 1n)}>
          Bring back
        </button>
      ) : (
        <>
          <button type="button" onClick={onEdit}>
            Edit
          </button>
          <button type="button" class="danger" onClick={onForget}>
            Forget
          </button>
        </>
      )}
    </div>
  );
}
