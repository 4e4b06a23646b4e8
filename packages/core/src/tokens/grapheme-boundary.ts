const segmenter = new Intl.Segmenter("und", { granularity: "grapheme" });

/** How far back to look for a place where a cluster certainly starts, before taking the whole text. */
const searchedUnits = 256;

/**
 * The last position at or before `index` (in UTF-16 units) that does not split a grapheme cluster.
 *
 * Segments only the neighbourhood of the index, so that the cost does not grow with the text.
 */
export function lastGraphemeBoundary(text: string, index: number): number {
  if (index <= 0) return 0;
  if (index >= text.length) return text.length;
  if (startsCluster(text, index)) return index;
  const start = clusterStartBefore(text, index);
  const nearby = text.slice(start, index + searchedUnits);
  const cluster = segmenter.segment(nearby).containing(index - start);
  return start + (cluster?.index ?? 0);
}

function clusterStartBefore(text: string, index: number): number {
  const limit = Math.max(0, index - searchedUnits);
  for (let start = index - 1; start > limit; start--) if (startsCluster(text, start)) return start;
  return 0;
}

/** True when a cluster certainly starts at the index; false when only the segmenter can tell. */
function startsCluster(text: string, index: number): boolean {
  const before = text.charCodeAt(index - 1);
  const after = text.charCodeAt(index);
  return standsAlone(before) && standsAlone(after) && !(before === carriageReturn && after === lineFeed);
}

const carriageReturn = 0x0d;
const lineFeed = 0x0a;

/** Between two of these there is always a boundary: Latin without combining marks, kana, ideographs. */
function standsAlone(unit: number): boolean {
  return unit < 0x300 || (unit >= 0x4e00 && unit <= 0x9fff) || (unit >= 0x30a1 && unit <= 0x30fa) || isHiragana(unit);
}

function isHiragana(unit: number): boolean {
  return unit >= 0x3041 && unit <= 0x3096;
}
