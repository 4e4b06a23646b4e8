/** A share from 0 to 1 as a small bar. The number beside it or in its label says the same. */
export function Meter({ share, label }: { readonly share: number; readonly label: string }) {
  const width = Math.max(0, Math.min(1, share)) * 40;
  return (
    <svg class="meter" viewBox="0 0 40 6" width="40" height="6" role="img" aria-label={label}>
      <rect class="meter-all" width="40" height="6" rx="3" />
      {width > 0 && <rect class="meter-share" width={Math.max(width, 3)} height="6" rx="3" />}
    </svg>
  );
}
