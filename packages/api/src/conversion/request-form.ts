import { checkFields, type ErrorReason } from "@loci/domain";
import type { Enumeration } from "./enumeration.ts";
import { nonEmptyList, required } from "./read-value.ts";
import { optionally, writableList } from "./writable-value.ts";

/** How a value is said on the wire, and read from it: the same value, or one that means the same. */
export interface Form<Value, Wire> {
  /** @throws LociError with the reason the engine has for the value, naming `path` */
  readonly write: (value: Value, path: string) => Wire;
  /** @throws LociError for what no client of this version sends, naming `path` */
  readonly read: (wire: Wire, path: string) => Value;
}

/** A field of a message, and how the value of a request is said in it. */
export interface FieldForm<Value, Wire, Name> extends Form<Value, Wire> {
  readonly name: Name;
}

type FieldOf<Message, Value> = {
  readonly [Name in keyof Message]: FieldForm<Value, Message[Name], Name>;
}[keyof Message];

/** The fields of a request, each as it is said in a message. */
export type FieldForms<Request extends object, Message extends object> = {
  readonly [Name in keyof Request]-?: FieldOf<Message, Request[Name]>;
};

/** What is left of a message when fields that are no part of the request, such as the idempotency key, are taken away. */
type Sent<Message, Apart extends keyof Message> = Omit<Message, Apart>;

/**
 * A request, or a part of one, as a message: each of its fields is said once here, and what refuses misspelt fields, writes
 * and reads is made of that.
 *
 * @typeParam Apart fields of the message that are no part of the request
 */
export class RequestForm<
  Request extends object,
  Message extends object,
  Apart extends keyof Message = never,
> implements Form<Request, Sent<Message, Apart>> {
  readonly #called: string;
  readonly #fields: readonly (readonly [name: string, field: FieldForm<unknown, unknown, string>])[];
  /** The names of the request's fields. */
  readonly names: ReadonlySet<string>;

  /** @param called what the request is called in errors, such as `request` */
  constructor(called: string, fields: FieldForms<Request, Message>) {
    this.#called = called;
    this.#fields = Object.entries(fields);
    this.names = new Set(Object.keys(fields));
  }

  /** The fields of the message by those of the request. */
  get wireNames(): ReadonlyMap<string, string> {
    return new Map(this.#fields.map(([name, field]) => [name, field.name]));
  }

  /** A whole request. @throws LociError with the reason the engine has for the field at fault */
  readonly toProto = (request: Request): Sent<Message, Apart> => {
    checkFields(request, this.names, this.#called);
    return this.writeFields(request, "");
  };

  /** A whole request. @throws LociError with the field at fault */
  readonly fromProto = (message: Sent<Message, Apart>): Request => this.readFields(message, "");

  /** A part of a request, found at the path. @throws LociError with the reason the engine has for the field at fault */
  readonly write = (part: Request, path: string): Sent<Message, Apart> => {
    checkFields(part, this.names, path);
    return this.writeFields(part, `${path}.`);
  };

  /** A part of a request, found at the path. @throws LociError with the field at fault */
  readonly read = (part: Sent<Message, Apart>, path: string): Request => this.readFields(part, `${path}.`);

  /** These fields of a request that has others, too, and whose names have been checked. */
  writeFields(request: Request, prefix: string): Sent<Message, Apart> {
    const given = request as Readonly<Record<string, unknown>>;
    const message: Record<string, unknown> = {};
    for (const [name, field] of this.#fields) message[field.name] = field.write(given[name], prefix + name);
    return message as Sent<Message, Apart>;
  }

  /** These fields of a request that has others, too. */
  readFields(message: Sent<Message, Apart>, prefix: string): Request {
    const sent = message as Readonly<Record<string, unknown>>;
    const request: Record<string, unknown> = {};
    for (const [name, field] of this.#fields) {
      const value = field.read(sent[field.name], prefix + name);
      // What a caller sees has no empty fields.
      if (value !== undefined) request[name] = value;
    }
    return request as Request;
  }
}

/** Says a value in a field of the message. */
export function field<Name extends PropertyKey, Value, Written, Wire, Read>(
  name: Name,
  write: (value: Value, path: string) => Written,
  read: (wire: Wire, path: string) => Read,
): {
  readonly name: Name;
  readonly write: (value: Value, path: string) => Written;
  readonly read: (wire: Wire, path: string) => Read;
} {
  return { name, write, read };
}

/** Says a value as it is, once it has been looked at. */
export function sameField<Name extends PropertyKey, Value>(
  name: Name,
  write: (value: Value, path: string) => Value,
): FieldForm<Value, Value, Name> {
  return { name, write, read: (wire) => wire };
}

/** A part that must be there. */
export function part<Name extends PropertyKey, Value, Wire>(
  name: Name,
  { write, read }: Form<Value, Wire>,
): FieldForm<Value, Wire | undefined, Name> {
  return { name, write, read: (wire, path) => read(required(wire, path), path) };
}

/** A part that may be left out. */
export function optionalPart<Name extends PropertyKey, Value, Wire>(
  name: Name,
  { write, read }: Form<Value, Wire>,
): FieldForm<Value | undefined, Wire | undefined, Name> {
  return {
    name,
    write: (value, path) => optionally(value, path, write),
    read: (wire, path) => optionally(wire, path, read),
  };
}

/** @param reason for what is no list. Default `INVALID_REQUEST` */
export function listOf<Value, Wire>(
  { write, read }: Form<Value, Wire>,
  reason?: ErrorReason,
): Form<readonly Value[], Wire[]> {
  return {
    write: (values, path) =>
      writableList(values, path, reason).map((value, index) => write(value, `${path}[${index}]`)),
    read: (wire, path) => wire.map((value, index) => read(value, `${path}[${index}]`)),
  };
}

/** A list that may be left out: on the wire that is the same as an empty one. */
export function optionalList<Name extends PropertyKey, Value, Wire>(
  name: Name,
  { write, read }: Form<readonly Value[], Wire[]>,
): FieldForm<readonly Value[] | undefined, Wire[], Name> {
  return {
    name,
    write: (values, path) => optionally(values, path, write) ?? [],
    read: (wire, path) => nonEmptyList(read(wire, path)),
  };
}

/** A switch that is off when it is left out: on the wire that is the same as false. */
export function optionalSwitch<Name extends PropertyKey>(
  name: Name,
  write: (value: boolean, path: string) => boolean,
): FieldForm<boolean | undefined, boolean, Name> {
  return {
    name,
    write: (value, path) => optionally(value, path, write) ?? false,
    read: (wire) => (wire ? true : undefined),
  };
}

/** A word that must be there. */
export function word<Name extends PropertyKey, Word extends string, Value extends number>(
  name: Name,
  words: Enumeration<Word, Value>,
): FieldForm<Word, Value, Name> {
  return {
    name,
    write: (value, path) => words.toProto(value, path),
    read: (wire, path) => words.fromProto(wire, path),
  };
}

/** A word that may be left out: 0 on the wire. */
export function optionalWord<Name extends PropertyKey, Word extends string, Value extends number>(
  name: Name,
  words: Enumeration<Word, Value>,
): FieldForm<Word | undefined, Value, Name> {
  return {
    name,
    // 0 is a number of every enumeration.
    write: (value, path) => words.optionalToProto(value, path) as Value,
    read: (wire, path) => words.optionalFromProto(wire, path),
  };
}
