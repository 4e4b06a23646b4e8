import {
  checkFields,
  type EtagPrecondition,
  etagPreconditionFields,
  LociError,
  type Ref,
  type SessionKey,
  type Version,
  versionOfEtag,
} from "@loci/domain";

/**
 * The version of a session, or of its turn state, that a precondition stands for, if there is one.
 *
 * @throws LociError `INVALID_REQUEST` when it holds no etag of it
 */
export function checkSessionEtag(ref: Ref, precondition: EtagPrecondition | undefined): Version | undefined {
  if (precondition === undefined) return undefined;
  checkFields(precondition, etagPreconditionFields, "precondition");
  const version = typeof precondition.etag === "string" ? versionOfEtag(ref, precondition.etag) : undefined;
  if (version !== undefined) return version;
  throw new LociError("INVALID_REQUEST", {
    message: "precondition.etag is not an etag of this session or of its turn state.",
    field: "precondition.etag",
    advice: "Pass the etag as it was read.",
  });
}

/** The error for a caller whose etag is not that of the current version. */
export function sessionOutdated({ id }: SessionKey, expected: Version | undefined, current: Version): LociError {
  return new LociError("VERSION_CONFLICT", {
    message: `It is at version ${current}, but the etag is that of version ${expected}.`,
    resource: id,
    advice: "Read it again, look at what changed, and send the change with the new etag.",
    details: { currentVersion: String(current), expectedVersion: String(expected) },
  });
}
