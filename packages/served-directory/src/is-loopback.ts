import { isIPv4, isIPv6 } from "node:net";

/** True for addresses that only programs of this machine reach: `127.…`, `::1`, `localhost`. Another name may lead anywhere. */
export function isLoopback(address: string): boolean {
  if (isIPv4(address)) return address.startsWith("127.");
  return isIPv6(address) ? address === "::1" : address === "localhost";
}
