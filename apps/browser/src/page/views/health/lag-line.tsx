const width = 240;
const height = 28;
const mostPoints = 120;

/** How far behind something was over the last minutes. */
export function LagLine({ name, lags }: { readonly name: string; readonly lags: readonly number[] }) {
  const most = Math.max(1, ...lags);
  const points = lags.map((lag, index) => {
    const x = width - ((lags.length - 1 - index) * width) / (mostPoints - 1);
    return `${x.toFixed(1)},${(height - 2 - (lag / most) * (height - 4)).toFixed(1)}`;
  });
  return (
    <svg
      class="lag-line"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${name}: at most ${Math.max(0, ...lags)} behind over the last ${lags.length} looks`}
    >
      <path class="lag-ground" d={`M0 ${height - 2}H${width}`} />
      {points.length > 1 && <polyline class="lag-points" points={points.join(" ")} />}
    </svg>
  );
}
