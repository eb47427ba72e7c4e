export type { Config, Origin } from './config.ts';
export { createDataDirectory } from './data-directory.ts';
export { generatedEnvironment, overrideName, overrideValue } from './environment.ts';
export { ConfigError } from './faults.ts';
export { type ListenAddress, listenersConflict } from './listeners.ts';
export { type LoadOptions, loadConfig } from './load.ts';
export { loadDatabase, loadEncryption } from './load-database.ts';
export type { TracingSettings } from './tracing-settings.ts';
export { softwareVersion } from './version.ts';
