export { loadConfiguration, type LoadConfigurationOptions } from "./configuration/load-configuration.ts";
export { printApiKey, printConfiguration } from "./configuration/print-configuration.ts";
export {
  defaultConfiguration,
  defaultPort,
  type Environment,
  type ServerConfiguration,
  type ServerLimits,
} from "./configuration/server-configuration.ts";
export type { LogLevel } from "./logging/logger.ts";
export { runServer, type RunServerOptions } from "./run-server.ts";
export { type ApiKeyEntry, createApiKey, type CreateApiKeyOptions, type NewApiKey } from "./security/api-key.ts";
export { type RunningServer, startServer, type StartServerOptions } from "./server.ts";
