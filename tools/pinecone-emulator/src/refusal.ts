/** A request that the service would refuse. */
export class Refusal extends Error {
  readonly status: number;
  /** The status in gRPC's numbers, as the data plane answers; or a word, as the control plane does. */
  readonly code: number | string;

  constructor(message: string, status = 400, code: number | string = 3) {
    super(message);
    this.status = status;
    this.code = code;
  }

  get body(): object {
    return typeof this.code === "string"
      ? { error: { code: this.code, message: this.message }, status: this.status }
      : { code: this.code, message: this.message, details: [] };
  }
}
