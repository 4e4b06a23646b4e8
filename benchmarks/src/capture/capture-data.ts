import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A conversation with what is known before it. */
export interface CaptureDialogue {
  readonly id: string;
  readonly scopes: { readonly user: string; readonly project?: string };
  readonly prior: readonly {
    readonly id: string;
    readonly scope: "user" | "project" | "agent";
    readonly slot: string | null;
    readonly value: string | null;
    readonly text: string;
  }[];
  readonly turns: readonly {
    readonly n: number;
    readonly role: "user" | "assistant" | "tool" | "system";
    readonly content: string;
    readonly at: string;
    readonly recalled?: boolean;
  }[];
}

/** An earlier and a later memory. */
export interface MemoryPair {
  readonly id: string;
  readonly prior: { readonly text: string };
  readonly new: { readonly text: string };
  readonly label: string;
}

/** A text with a secret, or one that only looks like it. */
export interface SecretSample {
  readonly id: string;
  readonly text: string;
  readonly value?: string | null;
}

/** The lines of one of the files of labelled data. */
export function readCaptureData(folder: string, name: string): readonly unknown[] {
  const lines = readFileSync(join(folder, name), "utf8").split("\n");
  return lines.filter((line) => line.trim() !== "").map((line) => JSON.parse(line) as unknown);
}

/**
 * Whether a dialogue or pair is held out: a third of them, by a hash of the id (FNV-1a, 32 bits), so that rules can be made on the
 * others and measured on these.
 */
export function isHeldOut(id: string): boolean {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(id)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash % 3 === 0;
}
