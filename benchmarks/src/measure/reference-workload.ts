const table = new Int32Array(4096).map((_, index) => (index * 2_654_435_761) | 0);

/**
 * Integer and memory work that compiles the same way from run to run. Every figure is also given as a ratio to it, so
 * that a slow machine, or a busy one, slows both.
 */
export function referenceWorkload(): number {
  let hash = 0;
  for (let round = 0; round < 64; round++)
    for (const value of table) hash = (Math.imul(hash ^ value, 0x0100_0193) + round) | 0;
  return hash;
}
