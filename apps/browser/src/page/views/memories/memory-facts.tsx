import { EmbeddingState, type Memory, MemoryState, Origin, ProvenanceKind, Trust, type Value } from "@loci/api-web";
import { Fact } from "../../parts/fact.tsx";
import { ShownText } from "../../parts/shown-text.tsx";
import { TimeShown } from "../../parts/time-shown.tsx";
import { fragmentOf } from "../../state/route.ts";
import { scopeText } from "../../text/scopes.ts";
import { counted, wordOf } from "../../text/words.ts";

/** Every field of a memory that has a value, in groups. */
export function MemoryFacts({ memory }: { readonly memory: Memory }) {
  const { provenance, usage, metadata } = memory;
  return (
    <dl class="facts">
      <Fact name="Category">
        <ShownText text={memory.category ?? "fact"} />
      </Fact>
      <Fact name="Scope">
        <ShownText text={scopeText(memory.scope)} />
      </Fact>
      {memory.slot !== undefined && (
        <Fact name="Slot">
          <ShownText text={memory.slotValue === undefined ? memory.slot : `${memory.slot} = ${memory.slotValue}`} />
        </Fact>
      )}
      {memory.tags.length > 0 && (
        <Fact name="Tags">
          {memory.tags.map((tag) => (
            <span key={tag} class="tag">
              <ShownText text={tag} />
            </span>
          ))}
        </Fact>
      )}
      <Fact name="Importance">{(memory.importance ?? 0).toFixed(2)}</Fact>
      <Fact name="Confidence">{(memory.confidence ?? 1).toFixed(2)}</Fact>
      <Fact name="Origin">
        {wordOf(Origin, memory.origin)}, {wordOf(Trust, memory.trust)}
      </Fact>
      {provenance !== undefined && (
        <Fact name="Source">
          <ShownText text={provenance.sourceId} /> ({wordOf(ProvenanceKind, provenance.kind)}
          {provenance.position === undefined ? "" : ` #${provenance.position}`})
          {provenance.speaker !== undefined && (
            <>
              , said by <ShownText text={provenance.speaker} />
            </>
          )}
        </Fact>
      )}
      <Fact name="State">
        {wordOf(MemoryState, memory.state)}
        {memory.isPinned === true && ", pinned"}
        {memory.isStatic === true && ", never fades"}
        {memory.embedding === EmbeddingState.PENDING && ", found by words alone so far"}
      </Fact>
      <Fact name="Used">
        {usage === undefined || usage.accessCount === 0n ? "never" : counted(usage.accessCount, "time")}
        {usage?.lastAccessTime !== undefined && (
          <>
            , last <TimeShown time={usage.lastAccessTime} />
          </>
        )}
      </Fact>
      {memory.createTime !== undefined && (
        <Fact name="Said">
          <TimeShown time={memory.createTime} />
        </Fact>
      )}
      {(memory.validFrom ?? memory.validTo) !== undefined && (
        <Fact name="True">
          {memory.validFrom !== undefined && (
            <>
              from <TimeShown time={memory.validFrom} />{" "}
            </>
          )}
          {memory.validTo !== undefined && (
            <>
              until <TimeShown time={memory.validTo} />
            </>
          )}
        </Fact>
      )}
      {memory.recordTime !== undefined && (
        <Fact name="Recorded">
          <TimeShown time={memory.recordTime} />
        </Fact>
      )}
      {memory.expireTime !== undefined && (
        <Fact name="Expires">
          <TimeShown time={memory.expireTime} />
        </Fact>
      )}
      {memory.approvedBy !== undefined && (
        <Fact name="Approved">
          by <ShownText text={memory.approvedBy} />
        </Fact>
      )}
      {memory.supersededBy !== undefined && (
        <Fact name="Replaced by">
          <a class="id" href={fragmentOf("memories", { id: memory.supersededBy })}>
            <ShownText text={memory.supersededBy} />
          </a>
        </Fact>
      )}
      <Fact name="Id">
        <span class="id">{memory.id}</span>
      </Fact>
      {Object.entries(metadata).map(([name, value]) => (
        <Fact key={name} name={<ShownText text={name} />}>
          <ShownText text={valueText(value)} />
        </Fact>
      ))}
    </dl>
  );
}

function valueText({ kind }: Value): string {
  return String(kind.value ?? "");
}
