import { type BlockVersion, LociError, type Version } from "@loci/domain";

/** Fewest digits of a commit id that stand for it. */
const fewestDigits = 7;
const wholeNumber = /^[1-9]\d{0,14}$/;
const commitDigits = /^[0-9a-f]{7,40}$/;

/**
 * The version that somebody means: its number, or at least 7 digits of its commit id. Digits that could be either are a
 * number when the block has that version. Looks only into this block's history.
 *
 * @throws LociError `VERSION_NOT_FOUND` when it has none, or several begin like that
 */
export function findBlockVersion(
  history: readonly Pick<BlockVersion, "version" | "commitId">[],
  wanted: Version | string,
): Version {
  const text = String(wanted);
  const numbered = wholeNumber.test(text) ? history.find(({ version }) => version === Number(text)) : undefined;
  if (numbered !== undefined) return numbered.version;
  const found = commitDigits.test(text) ? history.filter(({ commitId }) => commitId.startsWith(text)) : [];
  const [one, second] = found;
  if (one !== undefined && second === undefined) return one.version;
  throw new LociError("VERSION_NOT_FOUND", {
    message: second === undefined ? "The block has no such version." : "Several commits of the block begin like that.",
    field: "version",
    advice: `Pass a version's number, or at least ${fewestDigits} digits of its commit id.`,
  });
}
