import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { type StagedPage, withHeader } from "./staged-page.ts";

// What `buf build` tells of the contract, as far as it is shown.
interface Field {
  readonly name: string;
  readonly label: string;
  readonly type: string;
  readonly typeName?: string;
  readonly oneofIndex?: number;
  readonly proto3Optional?: boolean;
}
interface Message {
  readonly name: string;
  readonly field?: readonly Field[];
  readonly nestedType?: readonly Message[];
  readonly enumType?: readonly Enumeration[];
  readonly oneofDecl?: readonly { readonly name: string }[];
  readonly options?: { readonly mapEntry?: boolean };
}
interface Enumeration {
  readonly name: string;
  readonly value: readonly { readonly name: string; readonly number: number }[];
}
interface Service {
  readonly name: string;
  readonly method: readonly {
    readonly name: string;
    readonly inputType: string;
    readonly outputType: string;
    readonly serverStreaming?: boolean;
    readonly clientStreaming?: boolean;
  }[];
}
interface ContractFile {
  readonly name: string;
  readonly package: string;
  readonly messageType?: readonly Message[];
  readonly enumType?: readonly Enumeration[];
  readonly service?: readonly Service[];
  readonly sourceCodeInfo: {
    readonly location: readonly { readonly path?: readonly number[]; readonly leadingComments?: string }[];
  };
}

// Numbers of the fields of descriptors, which the places of comments are made of.
const place = {
  message: 4,
  enumeration: 5,
  service: 6,
  method: 2,
  field: 2,
  value: 2,
  nested: 3,
  nestedEnumeration: 4,
};

/** The contract as it is in the sources, with its comments. */
export function readContract(root: string): readonly ContractFile[] {
  const options = { cwd: root, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 } as const;
  const json = execFileSync(join(root, "node_modules/.bin/buf"), ["build", "-o", "-#format=json"], options);
  const { file } = JSON.parse(json) as { readonly file: readonly ContractFile[] };
  return file.filter(({ name }) => name.startsWith("loci/"));
}

/** A page for each file of the contract, services first, under one that lists them. */
export function contractPages(files: readonly ContractFile[]): {
  readonly chapter: string;
  readonly pages: readonly StagedPage[];
} {
  const ordered = files.toSorted(
    (left, right) => Number(isService(right)) - Number(isService(left)) || left.name.localeCompare(right.name, "en"),
  );
  const links = new Map(
    ordered.flatMap((file) => namesIn(file).map((name) => [name, `./${pageName(file)}#${anchorOf(name)}`])),
  );
  const pages = ordered.map((file) => new ContractPage(file, links).page());
  const list = ordered.map((file) => {
    const [service] = file.service ?? [];
    const methods = service === undefined ? "" : `: ${service.method.map(({ name }) => `\`${name}\``).join(", ")}`;
    return `- [${titleOf(file)}](./${pageName(file)})${methods}`;
  });
  const about =
    'What is called over the wire, in any language. The server answers reflection in `environment = "development"`. Clients in ' +
    "TypeScript, Python and Go are made from these files.";
  const header = { title: "gRPC contract", children: ordered.map((file) => `./${pageName(file)}`) };
  return {
    chapter: "contract/index.md",
    pages: [{ path: "contract/index.md", text: withHeader(header, `${about}\n\n${list.join("\n")}\n`) }, ...pages],
  };
}

/** The headings of one file, each a service, a message or an enumeration with its comment. */
class ContractPage {
  readonly #file: ContractFile;
  readonly #links: ReadonlyMap<string, string>;
  readonly #comments: ReadonlyMap<string, string>;

  constructor(file: ContractFile, links: ReadonlyMap<string, string>) {
    this.#file = file;
    this.#links = links;
    this.#comments = new Map(
      file.sourceCodeInfo.location.map(({ path = [], leadingComments = "" }) => [
        path.join("."),
        leadingComments.trim(),
      ]),
    );
  }

  page(): StagedPage {
    const { service = [], messageType = [], enumType = [] } = this.#file;
    const prefix = `${this.#file.package}.`;
    const parts = [
      ...service.map((one, index) => this.#service(one, [place.service, index])),
      ...messageType.flatMap((message, index) => this.#message(message, prefix, [place.message, index])),
      ...enumType.map((one, index) => this.#enumeration(one, prefix, [place.enumeration, index])),
    ];
    return {
      path: `contract/${pageName(this.#file)}`,
      text: withHeader({ title: titleOf(this.#file) }, `${parts.join("\n\n")}\n`),
    };
  }

  #service({ name, method }: Service, path: readonly number[]): string {
    const rows = method.map((one, index) => {
      const { inputType, outputType, serverStreaming = false, clientStreaming = false } = one;
      const request = `${clientStreaming ? "stream of " : ""}${this.#type(inputType)}`;
      const answer = `${serverStreaming ? "stream of " : ""}${this.#type(outputType)}`;
      const signature = `\`/${this.#file.package}.${name}/${one.name}\`: ${request} → ${answer}`;
      return `## ${one.name}\n\n${signature}\n\n${this.#comment([...path, place.method, index])}`;
    });
    return [this.#comment(path), ...rows].join("\n\n");
  }

  #message(message: Message, prefix: string, path: readonly number[]): readonly string[] {
    const { name, field = [], nestedType = [], enumType = [], oneofDecl = [] } = message;
    const full = `${prefix}${name}`;
    const rows = field.map((one, index) => {
      const choice =
        one.oneofIndex === undefined || one.proto3Optional === true ? undefined : oneofDecl[one.oneofIndex]?.name;
      const about = cell(this.#comment([...path, place.field, index]));
      return `| \`${one.name}\` | ${this.#fieldType(one, nestedType)} | ${choice === undefined ? "" : `One of \`${choice}\`. `}${about} |`;
    });
    const table = rows.length === 0 ? "No fields." : `| field | type | |\n| --- | --- | --- |\n${rows.join("\n")}`;
    return [
      `## ${full.slice(this.#file.package.length + 1)}\n\n${this.#comment(path)}\n\n${table}`,
      ...nestedType.flatMap((nested, index) =>
        nested.options?.mapEntry === true ? [] : this.#message(nested, `${full}.`, [...path, place.nested, index]),
      ),
      ...enumType.map((one, index) => this.#enumeration(one, `${full}.`, [...path, place.nestedEnumeration, index])),
    ];
  }

  #enumeration({ name, value }: Enumeration, prefix: string, path: readonly number[]): string {
    const rows = value.map(
      (one, index) => `| \`${one.name}\` | ${one.number} | ${cell(this.#comment([...path, place.value, index]))} |`,
    );
    const heading = `${prefix}${name}`.slice(this.#file.package.length + 1);
    return `## ${heading}\n\n${this.#comment(path)}\n\n| value | number | |\n| --- | --- | --- |\n${rows.join("\n")}`;
  }

  #fieldType({ type, typeName, label }: Field, nestedType: readonly Message[]): string {
    const entry = nestedType.find(
      ({ name, options }) => options?.mapEntry === true && typeName?.endsWith(`.${name}`) === true,
    );
    if (entry?.field !== undefined) {
      const [key, value] = entry.field.map((one) => this.#fieldType(one, []));
      return `map of ${key ?? ""} to ${value ?? ""}`;
    }
    const one = typeName === undefined ? `\`${type.slice("TYPE_".length).toLowerCase()}\`` : this.#type(typeName);
    return label === "LABEL_REPEATED" ? `list of ${one}` : one;
  }

  /** @param typeName with a dot before its package */
  #type(typeName: string): string {
    const name = typeName.slice(1);
    const link = this.#links.get(name);
    const shown = name.replace(`${this.#file.package}.`, "");
    return link === undefined ? `\`${shown}\`` : `[${shown}](${link})`;
  }

  #comment(path: readonly number[]): string {
    return escapeMarkup((this.#comments.get(path.join(".")) ?? "").replaceAll(/^ /gmu, ""));
  }
}

function isService({ service = [] }: ContractFile): boolean {
  return service.length > 0;
}

function titleOf(file: ContractFile): string {
  return file.service?.[0]?.name ?? file.name.slice("loci/v1/".length);
}

function pageName({ name }: ContractFile): string {
  return `${name.slice("loci/v1/".length, -".proto".length)}.md`;
}

/** The full names of all messages and enumerations of a file. */
function namesIn({ package: prefix, messageType = [], enumType = [] }: ContractFile): readonly string[] {
  const inMessage = (message: Message, before: string): readonly string[] => {
    const name = `${before}.${message.name}`;
    const enumerations = (message.enumType ?? []).map((one) => `${name}.${one.name}`);
    return [name, ...enumerations, ...(message.nestedType ?? []).flatMap((nested) => inMessage(nested, name))];
  };
  return [
    ...messageType.flatMap((message) => inMessage(message, prefix)),
    ...enumType.map(({ name }) => `${prefix}.${name}`),
  ];
}

/** As TypeDoc makes anchors of headings. */
function anchorOf(name: string): string {
  return name.slice("loci.v1.".length).toLowerCase().replaceAll(".", "");
}

/** A comment is text: what looks like a tag in it is none. */
function escapeMarkup(text: string): string {
  return text.replaceAll("<", "&lt;");
}

function cell(text: string): string {
  return text.replaceAll("|", String.raw`\|`).replaceAll(/\s*\n\s*/gu, " ");
}
