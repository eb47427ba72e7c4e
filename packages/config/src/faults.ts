/** A fault of the configuration. */
export interface ConfigFault {
  /** The key as the file writes it, e.g. `auth.controllers[0].issuer`; or the name of the file or variable itself. */
  readonly key: string;
  /** A message for a person. Never contains the value, because it may be a secret. */
  readonly message: string;
}

/** The configuration is invalid. The message has one line for each fault. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly faults: readonly ConfigFault[];

  constructor(faults: readonly ConfigFault[]) {
    super(faults.map(({ key, message }) => `${key}: ${message}`).join('\n'));
    this.faults = faults;
  }
}

/** The first fault of each key, because an unresolved reference often causes a second one. */
export function firstOfEach(faults: readonly ConfigFault[]): ConfigFault[] {
  const seen = new Set<string>();
  return faults.filter(({ key }) => !seen.has(key) && seen.add(key));
}

/** A place in the configuration, from the top down. */
export type KeyPath = readonly (string | number)[];

/** Formats a path, e.g. `auth.controllers[0].id`. */
export function keyName(path: KeyPath): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? part : `${text}.${part}`;
  }, '');
}
