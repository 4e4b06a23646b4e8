/** Whose days somebody at this computer means: an IANA name. */
export function zoneOfComputer(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
