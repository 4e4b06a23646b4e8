import { LociError } from "@loci/loci";

/** Where a setting was given, to name it in an error: its name, and the file or environment variable. */
export interface SettingPlace {
  /** Such as `limits.max_running_calls` or `LOCI_LISTEN_PORT`. */
  readonly name: string;
  /** The configuration file, unless it came from the environment. */
  readonly file?: string | undefined;
}

/** Reads one kind of setting from what TOML gives, or from the text of an environment variable. */
export interface SettingKind<Value> {
  /** What it may be, for people: `1 to 65,535`. */
  readonly form: string;
  /** @throws LociError `INVALID_CONFIGURATION` */
  read(given: unknown, place: SettingPlace): Value;
  /** The value as TOML would give it. What is left a text is refused by `read`. */
  fromText(text: string): unknown;
}

export function refuseSetting(place: SettingPlace, problem: string, advice: string): never {
  throw new LociError("INVALID_CONFIGURATION", {
    message: `${place.file === undefined ? "" : `${place.file}: `}${place.name} ${problem}.`,
    field: place.name,
    ...(place.file === undefined ? {} : { resource: place.file }),
    advice,
  });
}

export function wholeNumber(least: number, most: number): SettingKind<number> {
  return {
    form: `${inGroups(least)} to ${inGroups(most)}`,
    read: (given, place) =>
      typeof given === "number" && Number.isInteger(given) && given >= least && given <= most
        ? given
        : refuseSetting(place, `must be a whole number, but is ${describe(given)}`, `Use ${least} to ${most}.`),
    fromText: (text) => (/^\d{1,15}$/.test(text) ? Number(text) : text),
  };
}

/** A number from 0 to 1. */
export const share: SettingKind<number> = {
  form: "a number from 0 to 1",
  read: (given, place) =>
    typeof given === "number" && given >= 0 && given <= 1
      ? given
      : refuseSetting(place, `must be a number from 0 to 1, but is ${describe(given)}`, "Use 0 to 1, such as 0.2."),
  fromText: (text) => (/^\d(?:\.\d{1,15})?$/.test(text) ? Number(text) : text),
};

/** US dollars. */
export const dollars: SettingKind<number> = {
  form: "0 to 1,000,000",
  read: (given, place) =>
    typeof given === "number" && given >= 0 && given <= 1_000_000
      ? given
      : refuseSetting(
          place,
          `must be an amount of dollars, but is ${describe(given)}`,
          "Use 0 to 1000000, such as 20 or 0.5.",
        ),
  fromText: (text) => (/^\d{1,7}(?:\.\d{1,4})?$/.test(text) ? Number(text) : text),
};

/** Where something listens. */
export interface ListenPlace {
  readonly address: string;
  readonly port: number;
}

/** `host:port`, IPv6 in brackets. Kept as its text. */
export const listenText: SettingKind<string> = {
  form: "host:port",
  read: (given, place) =>
    typeof given === "string" && listenPlaceOf(given) !== undefined
      ? given
      : refuseSetting(place, `must be host:port, but is ${describe(given)}`, "For example 127.0.0.1:5626 or [::1]:0."),
  fromText: (given) => given,
};

export function listenPlaceOf(text: string): ListenPlace | undefined {
  const [, bracketed, plain, port] = /^(?:\[([0-9a-f:.]{2,45})\]|([^:[\]\s]{1,253})):(\d{1,5})$/iu.exec(text) ?? [];
  const address = bracketed ?? plain;
  return address === undefined || Number(port) > 65_535 ? undefined : { address, port: Number(port) };
}

/** Words in a list; in a variable with commas between them. */
export function words(form: string, word: RegExp, advice: string): SettingKind<readonly string[]> {
  const areWords = (given: unknown): given is readonly string[] =>
    Array.isArray(given) && given.length > 0 && given.every((one) => typeof one === "string" && word.test(one));
  return {
    form,
    read: (given, place) => (areWords(given) ? given : refuseSetting(place, `must be ${form}`, advice)),
    fromText: (text) => text.split(",").map((one) => one.trim()),
  };
}

export function choice<const Choice extends string>(choices: readonly Choice[]): SettingKind<Choice> {
  return {
    form: choices.map((one) => `"${one}"`).join(", "),
    read: (given, place) =>
      choices.find((known) => known === given) ??
      refuseSetting(place, `is ${describe(given)}, which is not a choice`, `Use one of ${choices.join(", ")}.`),
    fromText: (text) => text,
  };
}

export function text(advice: string): SettingKind<string> {
  return {
    form: "text",
    read: (given, place) =>
      typeof given === "string" && given !== "" && !given.includes("\0")
        ? given
        : refuseSetting(place, `must be text, but is ${describe(given)}`, advice),
    fromText: (given) => given,
  };
}

/** An `http` or `https` address. */
export const endpoint: SettingKind<string> = {
  form: "an http or https address",
  read: (given, place) => {
    const url = typeof given === "string" ? URL.parse(given) : null;
    if (url !== null && (url.protocol === "http:" || url.protocol === "https:")) return given as string;
    return refuseSetting(place, "must be an http or https address", "For example http://localhost:4318.");
  },
  fromText: (given) => given,
};

/** The name of an environment variable. What stands there instead may be the secret itself: it is not repeated. */
export const variableName: SettingKind<string> = {
  form: "the name of an environment variable",
  read: (given, place) =>
    typeof given === "string" && /^[A-Za-z_][A-Za-z0-9_]{0,127}$/.test(given)
      ? given
      : refuseSetting(place, "is not the name of an environment variable", "For example OPENAI_API_KEY."),
  fromText: (given) => given,
};

/** Everything there is to know of one setting. */
export interface Setting<Value> extends SettingKind<Value> {
  /** What it is for, in a sentence or two. */
  readonly about: string;
  /** Absent: without the setting there is none, or it follows from others, as `about` says. */
  readonly default?: Value | undefined;
  /** Names a file or directory. In the file it is relative to it. */
  readonly isPath: boolean;
}

/** @param given the default */
export function setting<Value>(kind: SettingKind<Value>, about: string, given?: NoInfer<Value>): Setting<Value> {
  return { ...kind, about, isPath: false, ...(given === undefined ? {} : { default: given }) };
}

/** A setting that names a file or directory. */
export function pathSetting(about: string, advice: string): Setting<string> {
  return { ...setting(text(advice), about), isPath: true };
}

/** What kind of value stood there. Never a long text, which may be a secret that was put in the wrong place. */
export function describe(given: unknown): string {
  if (typeof given === "number" || typeof given === "boolean") return String(given);
  if (typeof given === "string")
    return given.length <= 40 ? JSON.stringify(given) : `a text of ${given.length} characters`;
  if (Array.isArray(given)) return "a list";
  return given instanceof Date ? "a date" : given === null || given === undefined ? "missing" : "a table";
}

function inGroups(amount: number): string {
  return amount.toLocaleString("en-US");
}
