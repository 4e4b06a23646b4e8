import type { ServiceDefinition } from "@grpc/grpc-js";
import { proto } from "@loci/api";
import type { MethodsOf } from "../calls/served-calls.ts";
import type { Services } from "../calls/method-rules.ts";
import type { ServedOperations } from "../operations/served-operations.ts";
import { blockMethods } from "./block-service.ts";
import { captureMethods } from "./capture-service.ts";
import { contextMethods } from "./context-service.ts";
import { maintenanceMethods } from "./maintenance-service.ts";
import { memoryMethods } from "./memory-service.ts";
import { operationMethods } from "./operation-service.ts";
import { sessionMethods } from "./session-service.ts";
import { statusMethods } from "./status-service.ts";

/** A service of the contract, and what answers its calls. */
export interface ServedService {
  readonly definition: ServiceDefinition;
  readonly methods: MethodsOf<ServiceDefinition>;
}

/** Every service of the contract: the one list. Its type makes sure that none is left out. */
export function servedServices(operations: ServedOperations): readonly ServedService[] {
  const methods: { readonly [Name in keyof Services]: MethodsOf<Services[Name]> } = {
    BlockServiceService: blockMethods,
    CaptureServiceService: captureMethods,
    ContextServiceService: contextMethods,
    MaintenanceServiceService: maintenanceMethods(operations),
    MemoryServiceService: memoryMethods,
    OperationServiceService: operationMethods(operations),
    SessionServiceService: sessionMethods,
    StatusServiceService: statusMethods,
  };
  const definitions: Services = proto;
  return (Object.keys(methods) as (keyof Services)[]).map((name) => ({
    definition: definitions[name],
    methods: methods[name] as unknown as ServedService["methods"],
  }));
}
