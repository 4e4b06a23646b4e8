import { type Memory, MemoryState } from "@loci/api-web";
import { ShownText } from "../../parts/shown-text.tsx";
import { TimeShown } from "../../parts/time-shown.tsx";
import { WordDifference } from "../../parts/word-difference.tsx";
import { changedFields } from "./changed-fields.ts";

interface MemoryVersionsProps {
  /** Oldest first. */
  readonly versions: readonly Memory[];
  /** Absent: nothing may be changed. */
  readonly onRestore: ((version: bigint) => void) | undefined;
}

/** What a memory said in each of its versions, the newest first, each as what it changed. */
export function MemoryVersions({ versions, onRestore }: MemoryVersionsProps) {
  return (
    <section aria-labelledby="versions-title">
      <h3 id="versions-title">Versions</h3>
      <ol class="versions" reversed>
        {versions
          .map((memory, index) => (
            <Version
              key={String(memory.version)}
              memory={memory}
              before={versions[index - 1]}
              onRestore={index === versions.length - 1 ? undefined : onRestore}
            />
          ))
          .toReversed()}
      </ol>
    </section>
  );
}

interface VersionProps {
  readonly memory: Memory;
  readonly before: Memory | undefined;
  readonly onRestore: ((version: bigint) => void) | undefined;
}

function Version({ memory, before, onRestore }: VersionProps) {
  const { version, recordTime, text, state } = memory;
  const isTombstone = state === MemoryState.DELETED;
  const changed = before === undefined || isTombstone ? [] : changedFields(before, memory);
  return (
    <li>
      <p class="version-title">
        <strong>v{String(version)}</strong>
        {recordTime !== undefined && <TimeShown time={recordTime} />}
        {onRestore !== undefined && !isTombstone && (
          <button type="button" class="small" onClick={() => onRestore(version)}>
            Restore v{String(version)}
          </button>
        )}
      </p>
      {isTombstone && <p class="muted">Forgotten.</p>}
      {!isTombstone && before === undefined && (
        <p class="text">
          <ShownText text={text} />
        </p>
      )}
      {!isTombstone && before !== undefined && before.text !== text && before.state !== MemoryState.DELETED && (
        <WordDifference before={before.text} after={text} />
      )}
      {!isTombstone && before?.state === MemoryState.DELETED && <p class="muted">Brought back.</p>}
      {changed.length > 0 && (
        <ul class="changed-fields">
          {changed.map(({ name, before, after }) => (
            <li key={name}>
              {name}{" "}
              <del>
                <ShownText text={before} />
              </del>{" "}
              <ins>
                <ShownText text={after} />
              </ins>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}
