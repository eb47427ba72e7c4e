export type { Config, Origin } from './config.ts';
export { generatedEnvironment, overrideName, overrideValue } from './environment.ts';
export { ConfigError, type ConfigFault } from './faults.ts';
export { type LoadOptions, loadConfig } from './load.ts';
export { type LoadDatabaseOptions, loadDatabase, loadEncryption } from './load-database.ts';
export { referencePage } from './reference.ts';
export { type TracingSettings, tracingVariables } from './tracing-settings.ts';
export { softwareVersion } from './version.ts';
