/** One thing wrong with the configuration: the key it concerns, and what is wrong with it. */
export interface ConfigFault {
  /** As written in the file, e.g. `auth.controllers[0].issuer`; or the file or variable itself. */
  readonly key: string;
  /** For a person; never holds the value, because the value may be a secret. */
  readonly message: string;
}

/** The configuration cannot be used. Its message has one line per fault, every fault at once. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly faults: readonly ConfigFault[];

  constructor(faults: readonly ConfigFault[]) {
    super(faults.map(({ key, message }) => `${key}: ${message}`).join('\n'));
    this.faults = faults;
  }
}

/** A place in the configuration, from the top down. */
export type KeyPath = readonly (string | number)[];

/** Writes a path the way people write it: `auth.controllers[0].id`. */
export function keyName(path: KeyPath): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? part : `${text}.${part}`;
  }, '');
}
