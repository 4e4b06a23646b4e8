import type { RecallHit, ScoreParts, ScoringProfile } from "@loci/api-web";
import { ScoreBar } from "../../parts/score-bar.tsx";
import { ShownText } from "../../parts/shown-text.tsx";
import { fragmentOf } from "../../state/route.ts";
import { scopeText } from "../../text/scopes.ts";
import { scoreSegments } from "../../text/score-segments.ts";
import { OutdatedNote } from "./outdated-note.tsx";
import { pinned, moveOf } from "./pinned-recall.ts";

interface RecallHitItemProps {
  readonly hit: RecallHit;
  /** From 0. */
  readonly rank: number;
  readonly profile: ScoringProfile | undefined;
  readonly most: number;
}

/** One answer: its score as a bar that adds up, what multiplied it, and its text. */
export function RecallHitItem({ hit, rank, profile, most }: RecallHitItemProps) {
  const { memory, score, parts, text, tokens, truncated, foundBy, outdated } = hit;
  const id = memory?.id ?? "";
  const segments = parts === undefined || profile === undefined ? [] : scoreSegments(parts, profile);
  return (
    <li class="hit">
      <p class="hit-rank">
        {rank + 1}
        {pinned.value !== undefined && <Move move={moveOf(pinned.value, id, rank)} />}
      </p>
      <div class="hit-body">
        <div class="hit-score">
          <strong class="number">{score.toFixed(3)}</strong>
          <ScoreBar segments={segments} most={most} />
          {parts !== undefined && <Factors parts={parts} />}
        </div>
        <p class="text">
          <ShownText text={text} />
        </p>
        {outdated !== undefined && <OutdatedNote mark={outdated} />}
        <p class="hit-about">
          <ShownText text={`${memory?.category ?? "fact"}, ${scopeText(memory?.scope)}`} />
          {memory?.provenance !== undefined && (
            <>
              , from <ShownText text={memory.provenance.sourceId} />
            </>
          )}
          , {tokens} tokens{truncated && ", cut"}, found by {foundBy} <a href={fragmentOf("memories", { id })}>Open</a>
        </p>
        {parts !== undefined && (
          <details>
            <summary>All of the text, and what the score is made of</summary>
            <PartsTable parts={parts} segments={segments} score={score} />
          </details>
        )}
      </div>
    </li>
  );
}

function Move({ move }: { readonly move: number | undefined }) {
  if (move === undefined) return <span class="move new">new</span>;
  if (move === 0) return <span class="move">same</span>;
  return <span class={move > 0 ? "move up" : "move down"}>{move > 0 ? `up ${move}` : `down ${-move}`}</span>;
}

function Factors({ parts: { stale, tagBoost } }: { readonly parts: ScoreParts }) {
  return (
    <>
      {stale !== 1 && <span class="badge warn">×{stale} shown lately</span>}
      {tagBoost !== 1 && <span class="badge">×{tagBoost.toFixed(2)} tags</span>}
    </>
  );
}

interface PartsTableProps {
  readonly parts: ScoreParts;
  readonly segments: ReturnType<typeof scoreSegments>;
  readonly score: number;
}

/** Every part by its number, and what it brings to the score. */
function PartsTable({ parts, segments, score }: PartsTableProps) {
  const brings = new Map<string, number>(segments.map(({ name, value }) => [name, value]));
  const names = [
    "relevance",
    "cosine",
    "text",
    "time",
    "speaker",
    "rerank",
    "asking",
    "role",
    "instruction",
    "recency",
    "importance",
    "frequency",
    "stale",
    "tagBoost",
    "neighbours",
  ] as const;
  return (
    <table class="numbers">
      <thead>
        <tr>
          <th scope="col">Part</th>
          <th scope="col">Value</th>
          <th scope="col">Brings</th>
        </tr>
      </thead>
      <tbody>
        {names.map((name) => {
          const value = parts[name];
          return value === undefined ? null : (
            <tr key={name}>
              <th scope="row">{name === "tagBoost" ? "tags" : name}</th>
              <td>{value.toFixed(4)}</td>
              <td>{brings.get(name)?.toFixed(4) ?? ""}</td>
            </tr>
          );
        })}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">score</th>
          <td />
          <td>{score.toFixed(4)}</td>
        </tr>
      </tfoot>
    </table>
  );
}
