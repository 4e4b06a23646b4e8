import { Client, credentials, Metadata, type MethodDefinition } from "@grpc/grpc-js";
import { errorFromStatus, maintenanceJobToProto, type Operation, operationFromProto, proto } from "@loci/api";
import type { MaintenanceJob } from "@loci/client";
import type { ServedOperations } from "@loci/server";
import type { ScenarioClient } from "./scenario-clients.ts";

type Answered = { readonly operation: proto.Operation | undefined };

/**
 * Operations as the contract has them. In TypeScript they are promises of `loci.settled` and `loci.maintenance`, which show
 * nothing between beginning and end, so here the stubs call.
 */
export class RemoteOperations implements ServedOperations {
  readonly #client: Client;
  readonly #metadata = new Metadata();
  readonly #address: string;

  constructor({ address, apiKey }: ScenarioClient) {
    this.#client = new Client(address, credentials.createInsecure());
    this.#address = address;
    if (apiKey !== undefined) this.#metadata.set("authorization", `Bearer ${apiKey}`);
  }

  start(_principal: unknown, work: { readonly job?: MaintenanceJob | undefined }): Promise<Operation> {
    return work.job === undefined
      ? this.#call(proto.OperationServiceService.settleIndexes, {})
      : this.#call(proto.MaintenanceServiceService.startMaintenance, maintenanceJobToProto(work.job));
  }

  get(_principal: unknown, id: string): Promise<Operation> {
    return this.#call(proto.OperationServiceService.getOperation, { id });
  }

  wait(_principal: unknown, id: string, milliseconds: number): Promise<Operation> {
    const timeout = { seconds: BigInt(Math.floor(milliseconds / 1_000)), nanos: (milliseconds % 1_000) * 1_000_000 };
    return this.#call(proto.OperationServiceService.waitOperation, { id, timeout });
  }

  cancel(_principal: unknown, id: string): Promise<Operation> {
    return this.#call(proto.OperationServiceService.cancelOperation, { id });
  }

  close(): void {
    this.#client.close();
  }

  #call<Request>(method: MethodDefinition<Request, Answered>, request: Request): Promise<Operation> {
    const { path, requestSerialize, responseDeserialize } = method;
    return new Promise((resolve, reject) => {
      this.#client.makeUnaryRequest(
        path,
        requestSerialize,
        responseDeserialize,
        request,
        this.#metadata,
        { deadline: Date.now() + 30_000 },
        (error, response) =>
          error === null
            ? resolve(operationFromProto(response?.operation))
            : reject(errorFromStatus(error, this.#address)),
      );
    });
  }
}
