import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Sequence, TenantId } from "@loci/domain";
import type { BlockRecord, EditState, LogProjection } from "@loci/engine";
import { blockFamily, editFamily, type Family, type LogEntry, resourcePurged } from "@loci/ledger";
import { MirrorFolder, mirroredRefs } from "./mirror-folder.ts";

/** No owner's folder is called so: each of theirs has the kind of the owner before a hyphen. */
const checkpointName = "checkpoint";

/**
 * The history of blocks as git repositories, one for each owner: `TENANT/OWNER/blocks/LABEL.toml`, with the commits whose ids
 * versions are known by, and `pending_diffs/ID.json` for each edit that waits. They are made of the log alone. What is erased
 * takes the whole repository of its owner along.
 */
export class GitMirrors implements LogProjection {
  readonly name = "gitMirrors";
  readonly families: readonly Family[] = [blockFamily, editFamily];
  readonly isDurable = true;
  /** So that a directory that is gone is noticed, and made anew. */
  readonly isImmediate = true;
  readonly #directory: string;

  /** @param directory made with the first block */
  constructor(directory: string) {
    this.#directory = directory;
  }

  async apply(tenant: TenantId, entries: readonly LogEntry[], through: Sequence): Promise<void> {
    for (const stretch of alikeInARow(entries)) {
      if (stretch.every(isWritten)) await this.#write(tenant, stretch);
      else await this.#drop(tenant, new Set(stretch.map(({ ref }) => String(ref))));
    }
    await this.#note(tenant, through);
  }

  async checkpoint(tenant: TenantId): Promise<Sequence> {
    try {
      const sequence = Number(await readFile(join(this.#tenantPath(tenant), checkpointName), "utf8"));
      return Number.isSafeInteger(sequence) && sequence >= 0 ? sequence : 0;
    } catch {
      return 0;
    }
  }

  async reset(tenant: TenantId): Promise<void> {
    await rm(this.#tenantPath(tenant), { recursive: true, force: true });
  }

  async #write(tenant: TenantId, entries: readonly LogEntry[]): Promise<void> {
    for (const [owner, ofOwner] of Map.groupBy(entries, ownerOf)) {
      const folder = await MirrorFolder.open(this.#pathOf(tenant, owner), owner);
      const fresh = ofOwner.filter(({ sequence, family }) => family === editFamily || sequence > folder.sequence);
      const changes = fresh.filter(({ family }) => family === blockFamily).map(changeOf);
      if (changes.length > 0) await folder.apply(changes);
      for (const { family, ref, payload } of fresh)
        if (family === editFamily)
          await folder.showEdit(ref, (payload as EditState).state === "pending" ? payload : undefined);
    }
  }

  /** Removes the repositories that hold something of what was purged. */
  async #drop(tenant: TenantId, refs: ReadonlySet<string>): Promise<void> {
    const parent = this.#tenantPath(tenant);
    const names = await readdir(parent).catch((): readonly string[] => []);
    for (const name of names) {
      const path = join(parent, name);
      if (name.startsWith(checkpointName)) continue;
      const mirrored = await mirroredRefs(path);
      // One that cannot be read may hold it as well.
      if (mirrored === undefined || mirrored.some((ref) => refs.has(ref)))
        await rm(path, { recursive: true, force: true });
      else for (const ref of refs) await rm(join(path, "pending_diffs", `${ref}.json`), { force: true });
    }
  }

  async #note(tenant: TenantId, through: Sequence): Promise<void> {
    const path = this.#tenantPath(tenant);
    await mkdir(path, { recursive: true });
    const draft = join(path, `${checkpointName}.draft`);
    await writeFile(draft, String(through));
    await rename(draft, join(path, checkpointName));
  }

  #tenantPath(tenant: TenantId): string {
    return join(this.#directory, folderName(tenant));
  }

  #pathOf(tenant: TenantId, owner: string): string {
    return join(this.#tenantPath(tenant), folderName(owner));
  }
}

/** What a name is called as a folder: readable, short, and another for another name. */
export function folderName(name: string): string {
  const readable = name.replaceAll(/[^a-zA-Z0-9]+/gu, "-").slice(0, 40);
  return `${readable}-${createHash("sha256").update(name).digest("hex").slice(0, 16)}`;
}

/** What was written and what was purged, each in one stretch as long as nothing of the other comes between. */
function alikeInARow(entries: readonly LogEntry[]): readonly (readonly LogEntry[])[] {
  const stretches: LogEntry[][] = [];
  for (const entry of entries) {
    const last = stretches.at(-1);
    if (last?.[0] !== undefined && isWritten(last[0]) === isWritten(entry)) last.push(entry);
    else stretches.push([entry]);
  }
  return stretches;
}

function isWritten({ kind }: LogEntry): boolean {
  return kind !== resourcePurged;
}

function ownerOf({ payload }: LogEntry): string {
  return (payload as Pick<BlockRecord, "owner">).owner;
}

function changeOf({ payload, ref, version, sequence }: LogEntry): Parameters<MirrorFolder["apply"]>[0][number] {
  const { label, toml, at, author, approver, reason } = payload as BlockRecord;
  const change = { label, version, toml, at, proposer: author, approver: approver ?? null, reason };
  return { change, ref, sequence };
}
