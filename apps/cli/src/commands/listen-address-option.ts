import { InvalidArgumentError } from "commander";

/** Where a program listens. */
export interface ListenAddress {
  readonly address: string;
  readonly port: number;
}

/** Reads `host:port`, IPv6 in brackets. */
export function parseListenAddress(value: string): ListenAddress {
  const [, bracketed, plain, port] = /^(?:\[([0-9a-f:.]+)\]|([^:[\]\s]+)):(\d{1,5})$/iu.exec(value) ?? [];
  const address = bracketed ?? plain;
  if (address !== undefined && Number(port) <= 65_535) return { address, port: Number(port) };
  throw new InvalidArgumentError("It must be host:port, such as 127.0.0.1:5624 or [::1]:0.");
}
