import { clientIdOf, type ExtensionName, issuerOf } from './extension.ts';

/** The prefix of an extension's variables: its name upper-cased, hyphens as underscores. */
export function variablePrefix(extension: string): string {
  return extension.toUpperCase().replaceAll('-', '_');
}

/**
 * The environment variables that an app gets for an extension.
 * `clientSecret` is the newest one in clear; the answer must not be stored by anybody on the way.
 */
export function extensionEnvironment(
  name: ExtensionName,
  publicUrl: string,
  clientSecret: string,
): Readonly<Record<string, string>> {
  const prefix = variablePrefix(name.extension);
  return {
    [`${prefix}_CLIENT_ID`]: clientIdOf(name),
    [`${prefix}_CLIENT_SECRET`]: clientSecret,
    [`${prefix}_ISSUER`]: issuerOf(publicUrl, name),
    PLATFORM_ISSUER: publicUrl,
  };
}
