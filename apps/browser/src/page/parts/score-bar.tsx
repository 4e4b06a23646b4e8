import type { ScoreSegment } from "../text/score-segments.ts";

interface ScoreBarProps {
  readonly segments: readonly ScoreSegment[];
  /** What the whole width stands for. */
  readonly most: number;
}

const width = 1_000;
const height = 10;

/** A score as a bar of what it is made of. */
export function ScoreBar({ segments, most }: ScoreBarProps) {
  const scale = most > 0 ? width / most : 0;
  const said = segments.filter(({ value }) => value !== 0).map(({ name, value }) => `${name} ${value.toFixed(3)}`);
  let start = 0;
  return (
    <svg
      class="score-bar"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={said.join(", ")}
    >
      <rect class="bar-ground" width={width} height={height} />
      {segments.map(({ name, value }) => {
        const from = start;
        start += Math.max(0, value * scale);
        return <rect key={name} class={`of-${name}`} x={from} width={start - from} height={height} />;
      })}
    </svg>
  );
}
