import { checkFields } from "@loci/domain";
import { withoutUndefined } from "./read-value.ts";

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

/** What is left of a message when fields that are no part of the request, such as the idempotency key, are taken away. */
type Sent<Message, Apart extends keyof Message> = Omit<Message, Apart>;

/**
 * A request as a message: each of its fields is said once here, and what refuses misspelt fields, writes and reads is made of
 * that.
 *
 * @typeParam Apart fields of the message that are no part of the request
 */
export class RequestForm<Request extends object, Message extends object, Apart extends keyof Message = never> {
  readonly #path: string;
  readonly #fields: readonly (readonly [name: string, field: FieldForm<unknown, unknown, PropertyKey>])[];
  readonly #known: ReadonlySet<string>;

  /** @param path what the request is called in errors, such as `request` */
  constructor(path: string, fields: { readonly [Name in keyof Request]-?: FieldOf<Message, Request[Name]> }) {
    this.#path = path;
    this.#fields = Object.entries(fields);
    this.#known = new Set(Object.keys(fields));
  }

  /** @throws LociError with the reason the engine has for the field at fault */
  readonly toProto = (request: Request): Sent<Message, Apart> => {
    checkFields(request, this.#known, this.#path);
    const given = request as Readonly<Record<string, unknown>>;
    return Object.fromEntries(
      this.#fields.map(([name, field]) => [field.name, field.write(given[name], name)]),
    ) as unknown as Sent<Message, Apart>;
  };

  /** @throws LociError with the field at fault */
  readonly fromProto = (message: Sent<Message, Apart>): Request => {
    const sent = message as unknown as Readonly<Record<PropertyKey, unknown>>;
    return withoutUndefined(
      Object.fromEntries(this.#fields.map(([name, field]) => [name, field.read(sent[field.name], name)])) as Request,
    );
  };
}

/** Says a value in a field of the message. */
export function field<Name extends PropertyKey, Value, Wire>(
  name: Name,
  write: (value: Value, path: string) => Wire,
  read: (wire: NoInfer<Wire>, path: string) => NoInfer<Value>,
): FieldForm<Value, Wire, Name> {
  return { name, write, read };
}
