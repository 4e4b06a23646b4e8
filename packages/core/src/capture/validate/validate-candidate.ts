import { type CapturedTurn, captureReasons, type CaptureReason, type EvidencePlace } from "@loci/domain";
import { defaultPolicies, type DetectionPolicies, heldRefused, screenText } from "../detection/policies.ts";
import { foldText } from "../../text/fold-text.ts";
import { findCopiedQuote } from "../evidence-quotes.ts";
import { contentOf } from "../extract/read-clause.ts";
import { statementsOf } from "../extract/statements.ts";
import type { TurnStatement } from "../extract/turn-statement.ts";
import { wordsOf } from "../extract/words.ts";
import { wordsOfPeople } from "../extract/words-of-people.ts";
import type { ProposedCandidate } from "../model/read-reply.ts";
import { isGrounded, isSupported } from "./grounded.ts";
import { repeatsMemory } from "./repeats.ts";

/** What a candidate is checked against. */
export interface ValidationInput {
  readonly turns: readonly CapturedTurn[];
  /** Texts of memories that contexts of this session have shown. */
  readonly shown?: readonly string[] | undefined;
  readonly policies?: DetectionPolicies | undefined;
  /** Numbers of the turns that who proposes was shown: no others can be quoted. Default: all. */
  readonly quotable?: ReadonlySet<number> | undefined;
}

/** A candidate that may be judged, or why it may not. */
export interface ValidatedCandidate {
  readonly state: "active" | "quarantined" | "rejected";
  /** `null` for one that is active. */
  readonly reason: CaptureReason | null;
  /** Without what detection takes out; empty when it was refused for what it holds. */
  readonly text: string;
  readonly evidence: readonly EvidencePlace[];
}

/**
 * Checks what somebody proposes to remember of a session, in the order of {@link captureReasons}: the first that speaks against it is
 * its reason. A text of tools and the like, or one that a user has pasted, is quarantined, and refused when it addresses the assistant.
 */
export function validateCandidate(proposed: ProposedCandidate, input: ValidationInput): ValidatedCandidate {
  return candidateValidator(input).proposed(proposed);
}

/** What rules have found of a turn, with its place there. */
export interface FoundCandidate extends Pick<ProposedCandidate, "text" | "slot" | "value" | "tags"> {
  readonly evidence: readonly EvidencePlace[];
  /** A turn that explains what was said in the cited one. */
  readonly explainedBy: number | undefined;
  /** With fewer words that mean something, and no number, date or name, it is vague. */
  readonly fewestWords: number;
}

/** What says less is vague, unless it is said in a way that says enough. */
export const fewestWords = 3;

/** Checks any number of candidates of the same turns, which are read once. */
export function candidateValidator(
  input: ValidationInput,
  statements: readonly TurnStatement[] = statementsOf(input.turns),
): {
  readonly proposed: (candidate: ProposedCandidate) => ValidatedCandidate;
  readonly found: (candidate: FoundCandidate) => ValidatedCandidate;
} {
  const writtenBy = wordsOfPeople(input.turns);
  const pastedIn = (evidence: readonly EvidencePlace[]): readonly string[] =>
    pastedWords(input.turns, evidence, writtenBy);
  return {
    proposed: (candidate) => validatedBy(candidate, input, { statements, pastedIn }),
    // The rules read nothing that was pasted.
    found: (candidate) => validatedBy(candidate, input, { statements, pastedIn: () => [] }),
  };
}

/** What the rules read of the turns. */
interface ReadTurns {
  readonly statements: readonly TurnStatement[];
  /** Of cited turns of the user what others have written, if any of it is cited. */
  readonly pastedIn: (evidence: readonly EvidencePlace[]) => readonly string[];
}

function validatedBy(
  proposed: ProposedCandidate | FoundCandidate,
  input: ValidationInput,
  { statements, pastedIn }: ReadTurns,
): ValidatedCandidate {
  const { turns, policies = defaultPolicies } = input;
  const places = placesOf(proposed, input);
  const explainedBy = "explainedBy" in proposed ? proposed.explainedBy : undefined;
  const evidence = places.filter((place) => place !== undefined);
  const refused = (reason: CaptureReason, text = proposed.text): ValidatedCandidate => ({
    state: "rejected",
    reason,
    text,
    evidence,
  });
  const texts = [proposed.text, proposed.slot ?? "", proposed.value ?? "", ...proposed.tags];
  const screened = texts.map((text) => screenText(text, policies));
  const quotes = evidence.map((place) => wordsAt(turns, place));
  const isSecret =
    [...screened, ...quotes.map((quote) => screenText(quote, policies))].some(({ policy }) => policy === "refuse") ||
    [proposed.text, ...quotes].some(heldRefused);
  const shownText = isSecret ? "" : (screened[0]?.text ?? "");
  if (evidence.length < proposed.evidence.length || evidence.length === 0)
    return refused("EVIDENCE_NOT_FOUND", shownText);
  const cited = turns.filter(({ turn }) => evidence.some((place) => place.turn === turn));
  const withBefore = turns.filter(
    (turn, index) =>
      cited.includes(turn) || cited.includes(turns[index + 1] as CapturedTurn) || turn.turn === explainedBy,
  );
  const pasted = pastedIn(evidence);
  const isForeign = pasted.length > 0 || cited.some(isOfOthers);
  if (!isGrounded(proposed.text, withBefore)) return refused("UNGROUNDED", shownText);
  // The rules say only what was said.
  if (!("explainedBy" in proposed)) {
    const around = isForeign ? withBefore : withBefore.filter((turn) => !isOfOthers(turn));
    if (!isSupported(proposed.text, cited, around) || !proposed.dates.every((date) => isSaid(date.text, withBefore)))
      return refused("UNGROUNDED", shownText);
  }
  if (isRecalled(cited, input.shown ?? [])) return refused("RECALLED", shownText);
  if (!isForeign && !cited.some(({ role }) => role === "user") && !cited.some((turn) => isAccepted(turn, turns)))
    return refused("ASSISTANT_ONLY", shownText);
  const spoken = isForeign ? undefined : reasonOf(statements, evidence);
  const { words, isConcrete } = contentOf(wordsOf(proposed.text));
  const fewest = "explainedBy" in proposed ? proposed.fewestWords : fewestWords;
  const reason = spoken ?? (words < fewest && !isConcrete ? "VAGUE" : undefined);
  if (reason !== undefined) return refused(reason, shownText);
  if (isSecret) return refused("SECRET", "");
  const isHeld = screened.some(({ policy }) => policy === "quarantine");
  const ofOthers = [...cited.filter(isOfOthers).map(({ content }) => content), ...pasted];
  if (ofOthers.some(addressesAssistant)) return refused("DIRECTIVE", shownText);
  if (isForeign) return { state: "quarantined", reason: "UNTRUSTED", text: shownText, evidence };
  return {
    state: isHeld ? "quarantined" : "active",
    reason: isHeld ? "PERSONAL_DATA" : null,
    text: shownText,
    evidence,
  };
}

/** Tools, files, web pages and other agents speak in such turns. */
function isOfOthers({ role }: CapturedTurn): boolean {
  return role === "tool" || role === "system";
}

/**
 * Of the turns of the user that are cited for words of which somebody else has written some, what those have written.
 *
 * @param writtenBy what the rules read of a turn
 */
function pastedWords(
  turns: readonly CapturedTurn[],
  evidence: readonly EvidencePlace[],
  writtenBy: (turn: CapturedTurn) => string,
): readonly string[] {
  return evidence.flatMap((place) => {
    const turn = turns.find((each) => each.turn === place.turn);
    if (turn?.role !== "user") return [];
    const own = writtenBy(turn);
    const [quoted, said] = [turn.content, own].map((text) => text.slice(place.start, place.end).replace(/\s/gu, ""));
    if (quoted === said) return [];
    return turn.content.replace(/[^]/gu, (unit, index: number) => (own[index] === " " ? unit : " "));
  });
}

function isSaid(text: string, turns: readonly CapturedTurn[]): boolean {
  const wanted = foldText(text);
  return turns.some(({ content }) => foldText(content).includes(wanted));
}

function placesOf(
  proposed: ProposedCandidate | FoundCandidate,
  { turns, quotable }: ValidationInput,
): readonly (EvidencePlace | undefined)[] {
  if ("explainedBy" in proposed) return proposed.evidence;
  const shown = quotable === undefined ? turns : turns.filter(({ turn }) => quotable.has(turn));
  const quoted = shown.map(({ turn, content }) => ({ turn, text: content }));
  return proposed.evidence.map(({ turn, quote }) => findCopiedQuote(quoted, quote, turn));
}

function wordsAt(turns: readonly CapturedTurn[], { turn, start, end }: EvidencePlace): string {
  return turns.find((each) => each.turn === turn)?.content.slice(start, end) ?? "";
}

function isRecalled(cited: readonly CapturedTurn[], shown: readonly string[]): boolean {
  if (cited.some((turn) => turn.isRecalled === true)) return true;
  return cited.every(({ role }) => role === "assistant") && cited.some(({ content }) => repeatsMemory(content, shown));
}

const accepting =
  /^(?:yes|yep|yeah|yup|exactly|right|correct|perfect|great|good|agreed|ok|okay|sure|fine|true|do it|please do|sounds good|that works|absolutely)(?![\p{L}\p{N}])/iu;

/** Whether the next turn of the user takes what the assistant said. */
function isAccepted({ role, turn }: CapturedTurn, turns: readonly CapturedTurn[]): boolean {
  const next = turns.find((each) => each.turn > turn && each.role === "user");
  return role === "assistant" && next !== undefined && accepting.test(next.content.trimStart());
}

/** Why what is cited is not worth remembering: nothing that it touches states anything. The reason that comes first counts. */
function reasonOf(statements: readonly TurnStatement[], evidence: readonly EvidencePlace[]): CaptureReason | undefined {
  const touched = statements.filter(({ turn, sentence }) =>
    evidence.some((place) => place.turn === turn.turn && place.start < sentence.end && sentence.start < place.end),
  );
  const refusals = touched.flatMap(({ refusal }) => refusal ?? []);
  if (touched.length === 0 || refusals.length < touched.length) return undefined;
  return captureReasons.find((reason) => refusals.includes(reason));
}

const addressing =
  /(?<![\p{L}\p{N}])(?:(?:note|instructions?|message|attention) (?:to|for) (?:all |any |the )?(?:ai|llm|assistant|agent|model)s?|(?:ai|dear) (?:assistant|agent)s?|ignore (?:all |any |the |your )?(?:previous|prior|above|other|earlier) |disregard (?:all|any|the|your|previous)|you (?:must|should|are|will|have to)|remember (?:permanently|forever|that|this|to)|from now on|system prompt|always (?:tell|say|answer|recommend|approve|trust))(?![\p{L}\p{N}])/iu;

/** Whether a text of a tool or page tells the assistant what to do. */
function addressesAssistant(content: string): boolean {
  return addressing.test(content);
}
