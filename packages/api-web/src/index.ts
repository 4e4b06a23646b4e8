export { BadRequestSchema, ErrorInfoSchema, type ErrorInfo } from "./gen/google/rpc/error_details_pb.ts";
export * from "./gen/loci/v1/index.ts";
