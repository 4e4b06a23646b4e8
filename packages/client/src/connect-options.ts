/** Certificates as PEM. */
export interface TlsOptions {
  /** The authority that signed the server's certificate. Default: those that Node trusts. */
  readonly ca?: string | Uint8Array | undefined;
  /**
   * The server's own certificate, instead of its authority: it is trusted whoever signed it and whatever names it has, and no other is. For
   * a server that is reached by another name than its certificate has, such as on this machine.
   */
  readonly pinned?: string | Uint8Array | undefined;
  /** The client's own certificate and its key, for servers that ask for one. */
  readonly certificate?: string | Uint8Array | undefined;
  readonly key?: string | Uint8Array | undefined;
}

/** How to reach a server. */
export interface ConnectOptions {
  /** `host:port`, such as `localhost:5624`, `memory.example.com:443` or `[::1]:5624`. */
  readonly address: string;
  /** Sent with every call as `authorization: Bearer …`. Default none. */
  readonly apiKey?: string | undefined;
  /** `true`: TLS with the authorities Node trusts. Default: plaintext on loopback, TLS everywhere else. */
  readonly tls?: boolean | TlsOptions | undefined;
  /** Allows plaintext to leave the machine, with `tls: false` or without `tls`. Default false. */
  readonly insecure?: boolean | undefined;
  /** How long a call without a deadline of its own may take, in milliseconds. Default 30,000. */
  readonly timeoutMilliseconds?: number | undefined;
  /**
   * How long a connection may take until the server answers, in milliseconds. Default 5,000. A call whose connection takes longer
   * ends with `SERVER_UNAVAILABLE`; one that is refused is tried again.
   */
  readonly connectTimeoutMilliseconds?: number | undefined;
  /**
   * How often a call is sent at most while the server cannot be reached, the first time included. Default: as often as its time allows; where
   * no server has answered yet, as the address may be wrong, 7 times in some four seconds. 1: never again.
   */
  readonly maxAttempts?: number | undefined;
  /** The largest message to send or receive, in bytes. Default 64 MiB. */
  readonly maxMessageBytes?: number | undefined;
}
