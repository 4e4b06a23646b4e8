import { setImmediate } from "node:timers/promises";
import { defaultImportance } from "@loci/core";
import {
  authorize,
  checkList,
  formatScope,
  hasRole,
  type Instant,
  LociError,
  type Memory,
  type MemoryId,
  type MemoryRecord,
  type MemoryWarning,
  type Principal,
  type RememberInput,
  type Scope,
  throwIfAborted,
} from "@loci/domain";
import { comparedText, type Idempotency, type StoredMemory, type TextExpectation } from "@loci/ledger";
import { commitMemories, type MemoryWrite, unused } from "./commit-memories.ts";
import type { Call } from "../calls/call.ts";
import { eachInTurns } from "../calls/each-in-turns.ts";
import type { MemoryServices } from "./memory-services.ts";
import { idempotencyOf } from "../calls/idempotency.ts";
import { canBeRefreshed, mayRepeat, saysTheSame, withEvidence } from "./repeated-memory.ts";
import { maxMemoriesPerCall } from "./validate-conversation.ts";
import { type CheckedRememberInput, checkRememberInput } from "./validate-remember-input.ts";
import { isLookedThroughAtOnce } from "../validation/paced-detection.ts";
import { isScreened, refuseSecrets } from "../validation/refuse-secrets.ts";
import { expiryWarnings } from "../validation/warn-of-expiry.ts";
import { secondsWarnings } from "../validation/warn-of-seconds.ts";
import { secretWarnings, withWarnings } from "../validation/warn-of-secrets.ts";
import { isErased, isVersionConflict } from "../calls/version-conflict.ts";

/** Stores one memory as given, or gives the one that says the same new evidence. */
export async function remember(services: MemoryServices, call: Call, input: RememberInput): Promise<Memory> {
  const checked = checkRememberInput(input);
  services.metadata.checkMetadata(checked.metadata, "metadata");
  authorize(call.principal, "write", [checked.scope]);
  const warningsOf = secretWarnings(services.detection, turnsOf(services, call));
  const look = (): Promise<readonly MemoryWarning[]> =>
    lookedAt(services, call, checked, { field: "text", warningsOf });
  const idempotency = idempotencyOf("remember", input, call.options);
  const store = (): Promise<readonly Memory[]> => rememberAll(services, call, [checked], idempotency);
  const [warnings, [memory]] = isLookedAtMeanwhile(checked)
    ? await Promise.all([setImmediate().then(look), store()])
    : [await look(), await store()];
  if (memory === undefined)
    throw new LociError("MEMORY_ERASED", {
      message: "What this request stored was erased.",
      advice: "What was erased does not come back by a repetition. Use a new request id to store something anew.",
    });
  return withWarnings(memory, [...warnings, ...timeWarnings(memory)]);
}

/** Stores up to 1,000 memories in one transaction. Inputs that say the same become one memory, given for each of them. */
export async function rememberMany(
  services: MemoryServices,
  call: Call,
  inputs: readonly RememberInput[],
): Promise<readonly Memory[]> {
  checkList(inputs, "inputs", { least: 0, most: maxMemoriesPerCall });
  const check = (input: RememberInput, index: number): CheckedRememberInput => {
    const checked = checkRememberInput(input, `inputs[${index}]`);
    services.metadata.checkMetadata(checked.metadata, `inputs[${index}].metadata`);
    return checked;
  };
  // Of a copy: the caller may change the list while others have the thread.
  const given = [...inputs];
  const checked = await eachInTurns(given, check, turnsOf(services, call));
  authorize(
    call.principal,
    "write",
    checked.map(({ scope }) => scope),
  );
  const warningsOf = secretWarnings(services.detection, turnsOf(services, call));
  const warnings: (readonly MemoryWarning[])[] = [];
  for (const [index, input] of checked.entries())
    warnings.push(await lookedAt(services, call, input, { field: `inputs[${index}].text`, warningsOf }));
  if (checked.length === 0) return [];
  const memories = await rememberAll(services, call, checked, idempotencyOf("rememberMany", given, call.options));
  // Of a request that was answered before, and of which something was erased since, nothing is told anew.
  if (memories.length !== warnings.length) return memories;
  return memories.map((memory, index) => withWarnings(memory, [...(warnings[index] ?? []), ...timeWarnings(memory)]));
}

/** Of what its times say, as it was stored. */
function timeWarnings(memory: Memory): readonly MemoryWarning[] {
  return [...expiryWarnings(memory), ...secondsWarnings(memory)];
}

/**
 * What a person or program gives is stored as given, with a warning; what a model has chosen to keep, or an import has found, is
 * refused when it holds a secret.
 */
async function lookedAt(
  services: MemoryServices,
  call: Call,
  input: CheckedRememberInput,
  { field, warningsOf }: { readonly field: string; readonly warningsOf: ReturnType<typeof secretWarnings> },
): Promise<readonly MemoryWarning[]> {
  const texts = lookedAtTexts(input);
  if (!isScreened(input.origin)) return warningsOf(texts);
  await refuseSecrets({ texts, field }, services.detection, turnsOf(services, call));
  return [];
}

/**
 * Whether it may be looked at while the write is under way: it is stored whatever is found, and what takes no turn of the thread cannot be
 * cut short by the end of the call, which would then look as if nothing had been stored.
 */
function isLookedAtMeanwhile(input: CheckedRememberInput): boolean {
  return !isScreened(input.origin) && isLookedThroughAtOnce(lookedAtTexts(input));
}

function lookedAtTexts({ text, key = "", slot = "", tags = [] }: CheckedRememberInput): readonly string[] {
  return [text, key, slot, ...tags];
}

/** In the order of the inputs. */
async function rememberAll(
  services: MemoryServices,
  call: Call,
  inputs: readonly CheckedRememberInput[],
  idempotency: Idempotency | undefined,
): Promise<readonly Memory[]> {
  const { principal, signal } = call;
  // A memory that is there already is told to nobody who may not read it.
  const compared = new ComparedInputs();
  const told = hasRole(principal, "read") ? inputs : inputs.map((input) => ({ ...input, repeat: "add" as const }));
  await eachInTurns(told, (input) => mayRepeat(input) && compared.placeOf(input), turnsOf(services, call));
  const { groups, groupOf } = groupsOf(told, compared);
  // Most texts are new. Whether one is not, the commit finds out: asking first would read as much once more.
  let known: KnownTexts = new Map();
  for (;;) {
    const now = services.clock();
    const expectTexts: TextExpectation[] = [];
    const writes = groups.map((group): MemoryWrite => {
      const [first, ...others] = group as readonly [CheckedRememberInput, ...CheckedRememberInput[]];
      const same = mayRepeat(first) ? (known.get(compared.placeOf(first)) ?? []) : [];
      const repeated = same.find(({ memory }) => canBeRefreshed(memory, now) && saysTheSame(memory, first));
      const begun =
        repeated === undefined
          ? newMemory(services.ids.next(now), now, first)
          : { ...withEvidence(repeated.memory, first, now), version: repeated.memory.version + 1 };
      // With very many memories of one text that all differ in something else, one more does no harm.
      if (repeated === undefined && mayRepeat(first) && same.length < mostOfOneText)
        expectTexts.push({ scope: first.scope, text: first.text, known: same.map(({ memory }) => memory.id) });
      const memory = others.reduce((record, input) => withEvidence(record, input, now), begun);
      return { memory, usage: repeated?.usage ?? unused };
    });
    try {
      const memories = await commitMemories(services, call, writes, { idempotency, expectTexts });
      noteUses(services, principal, writes);
      // Fewer than were asked for: the request was answered before, and some of them were erased since.
      return memories.length < groups.length ? memories : groupOf.map((group) => memories[group] as Memory);
    } catch (error) {
      // The same is stored already, or somebody else has stored or changed it meanwhile.
      // Or erased it; a request that was erased stays so.
      if (!isVersionConflict(error) && !(isErased(error) && error.resource !== undefined)) throw error;
      throwIfAborted(signal);
      known = await knownTexts(services, call, groups);
    }
  }
}

const mostOfOneText = 100;

/** Inputs that say the same, together, in the order of the first of each group. Depends on nothing but the inputs. */
function groupsOf(
  inputs: readonly CheckedRememberInput[],
  compared: ComparedInputs,
): {
  readonly groups: readonly (readonly CheckedRememberInput[])[];
  /** The group of each input. */
  readonly groupOf: readonly number[];
} {
  const groups: CheckedRememberInput[][] = [];
  const places = new Map<string, number[]>();
  const groupOf = inputs.map((input) => {
    const place = mayRepeat(input) ? compared.placeOf(input) : undefined;
    const there = (place === undefined ? undefined : places.get(place)) ?? [];
    const same = there.find((group) => saysTheSame(groups[group]?.[0] as CheckedRememberInput, input));
    if (same !== undefined) {
      groups[same]?.push(input);
      return same;
    }
    if (place !== undefined) places.set(place, [...there, groups.length]);
    return groups.push([input]) - 1;
  });
  return { groups, groupOf };
}

/** Where inputs belong, told once of each: to compare a text takes milliseconds when it is long. */
class ComparedInputs {
  readonly #places = new Map<CheckedRememberInput, string>();

  placeOf(input: CheckedRememberInput): string {
    let place = this.#places.get(input);
    if (place === undefined) this.#places.set(input, (place = placeOf(input)));
    return place;
  }
}

function placeOf({ scope, text }: { readonly scope: Scope; readonly text: string }): string {
  return `${formatScope(scope)}\n${comparedText(text)}`;
}

/** Memories by scope and text. */
type KnownTexts = ReadonlyMap<string, readonly StoredMemory[]>;

/** The memories that have the texts already. */
async function knownTexts(
  services: MemoryServices,
  call: Call,
  groups: readonly (readonly CheckedRememberInput[])[],
): Promise<KnownTexts> {
  const { ledger } = services;
  const { signal } = call;
  const { tenant } = call.principal;
  const inputs = groups.flatMap((group) => group.slice(0, 1)).filter(mayRepeat);
  const known = await Promise.all(
    [...Map.groupBy(inputs, ({ scope }) => formatScope(scope)).values()].map((ofScope) => {
      const texts = [...new Set(ofScope.map(({ text }) => text))];
      const { scope } = ofScope[0] as CheckedRememberInput;
      return ledger.byTexts(tenant, { scope, texts, limitOfEach: mostOfOneText }, { signal });
    }),
  );
  const places = new Map<string, StoredMemory[]>();
  const add = (stored: StoredMemory): void => {
    const place = placeOf(stored.memory);
    const there = places.get(place);
    if (there === undefined) places.set(place, [stored]);
    else there.push(stored);
  };
  await eachInTurns(known.flat(), add, turnsOf(services, call));
  return places;
}

function turnsOf(
  { thread }: Pick<MemoryServices, "thread">,
  { principal, signal }: Call,
): () => Promise<void> | undefined {
  return () => thread.next(principal.tenant, signal);
}

/** A memory that was used counts its recency from there: saying it again makes it as recent as a new one. */
function noteUses({ usage }: MemoryServices, { tenant }: Principal, writes: readonly MemoryWrite[]): void {
  const used = writes.filter(({ usage: { lastAccessedAt } }) => lastAccessedAt !== undefined);
  if (used.length > 0)
    usage.record(
      tenant,
      used.map(({ memory }) => ({ ref: memory.id, at: memory.createdAt })),
    );
}

export function newMemory(id: MemoryId, now: Instant, input: CheckedRememberInput): MemoryRecord {
  const { category = "fact", origin = "manual", key, slot, provenance, validFrom, validTo, expiresAt } = input;
  return {
    id,
    text: input.text,
    category,
    scope: input.scope,
    importance: input.importance ?? defaultImportance(category, origin),
    confidence: input.confidence ?? 1,
    isStatic: input.isStatic ?? false,
    tags: input.tags ?? [],
    origin,
    trust: input.trust ?? "trusted",
    metadata: input.metadata ?? {},
    createdAt: input.createdAt ?? now,
    updatedAt: now,
    version: 1,
    state: "active",
    ...(input.isPinned === true ? { isPinned: true } : {}),
    ...(key === undefined ? {} : { key }),
    ...(slot === undefined ? {} : { slot }),
    ...(provenance === undefined ? {} : { provenance }),
    ...(validFrom === undefined ? {} : { validFrom }),
    ...(validTo === undefined ? {} : { validTo }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
}
