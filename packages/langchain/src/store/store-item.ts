import { createHash } from "node:crypto";
import type { Item } from "@langchain/langgraph-checkpoint";
import {
  LociError,
  maxMemoryKeyBytes,
  type Memory,
  type MemoryPatch,
  type Metadata,
  utf8ByteLength,
} from "@loci/domain";
import { metadataOfNamespace, namespaceOf } from "./namespace-labels.ts";
import { textOfItem } from "./item-text.ts";

/** The category of what a store keeps, so that other memories of the scope are none of its items. */
export const itemCategory = "item";

/** The largest value of an item, in bytes of its JSON. */
const mostValueBytes: number = 36 * 1024;

/** Where an item lies. */
export interface ItemPlace {
  readonly namespace: readonly string[];
  readonly key: string;
}

/** The key of an item's memory: another one for every other place, which no label can make look like this one. */
export function memoryKeyOf({ namespace, key }: ItemPlace): string {
  const named = JSON.stringify([...namespace, key]);
  if (utf8ByteLength(named) <= maxMemoryKeyBytes) return named;
  return `sha256:${createHash("sha256").update(named).digest("hex")}`;
}

/** @throws LociError `INVALID_IDENTIFIER` */
export function checkItemKey(key: unknown): void {
  const isKey = typeof key === "string" && key !== "" && key.isWellFormed() && !key.includes("\0");
  if (isKey && utf8ByteLength(key) <= maxMemoryKeyBytes) return;
  throw new LociError("INVALID_IDENTIFIER", {
    message: "The key of the item is no good key.",
    field: "key",
    advice: `Use 1 to ${maxMemoryKeyBytes} bytes of well-formed text without NUL characters.`,
  });
}

/** How an item is kept. */
export interface KeptItem extends ItemPlace {
  readonly value: Readonly<Record<string, unknown>>;
  /** Paths whose text it is found by; `false`: it is not searched. */
  readonly index: readonly string[] | false;
  readonly expiresAt: number | undefined;
}

/**
 * The memory of an item, whatever it was before. One that is not searched is closed from the beginning, so that no recall finds
 * it; it never fades, as nobody may have asked for it for long.
 *
 * @throws LociError `METADATA_TOO_LARGE`, `INVALID_REQUEST`
 */
export function memoryOfItem({ namespace, key, value, index, expiresAt }: KeptItem): MemoryPatch {
  const json = jsonOf(value);
  const text = index === false ? undefined : textOfItem(JSON.parse(json), index);
  const metadata: Metadata = { ...metadataOfNamespace(namespace), key, value: json };
  return {
    text: text ?? textOfItem(JSON.parse(json), ["$"]) ?? "An item without words.",
    category: itemCategory,
    isStatic: true,
    metadata,
    validTo: text === undefined ? 0 : null,
    expiresAt: expiresAt ?? null,
  };
}

/** The item that a memory is, if it is one and has not expired. */
export function itemOf(memory: Memory, now: number): Item | undefined {
  const { category, metadata, createdAt, updatedAt, expiresAt, state } = memory;
  if (category !== itemCategory || state !== "active" || (expiresAt !== undefined && expiresAt <= now))
    return undefined;
  const { key, value } = metadata;
  if (typeof key !== "string" || typeof value !== "string") return undefined;
  const namespace = namespaceOf(metadata);
  if (memory.key !== memoryKeyOf({ namespace, key })) return undefined;
  return {
    namespace,
    key,
    value: JSON.parse(value) as Item["value"],
    createdAt: new Date(createdAt),
    updatedAt: new Date(updatedAt),
  };
}

function jsonOf(value: unknown): string {
  let json: string | undefined;
  try {
    json = JSON.stringify(value);
  } catch {
    // Told below: what was thrown may quote the value.
  }
  if (json === undefined || !json.startsWith("{"))
    throw new LociError("INVALID_REQUEST", {
      message: "The value of the item is no object that JSON can say.",
      field: "value",
      advice: "Pass an object of texts, numbers, booleans, lists and such objects, or null to delete the item.",
    });
  const bytes = utf8ByteLength(json);
  if (bytes <= mostValueBytes) return json;
  throw new LociError("METADATA_TOO_LARGE", {
    message: `The value of the item has ${bytes} bytes as JSON, but at most ${mostValueBytes} are kept.`,
    field: "value",
    advice: "Keep large values elsewhere and a reference to them here, or in several items.",
  });
}
