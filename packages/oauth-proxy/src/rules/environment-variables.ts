import { clientIdOf, type ExtensionName, issuerOf } from '../model/extension.ts';

/** The prefix of an extension's variables: its name in upper case, with underscores for hyphens. */
function variablePrefix(extension: string): string {
  return extension.toUpperCase().replaceAll('-', '_');
}

/**
 * The environment variables of an app for an extension. `clientSecret` is the newest one in clear, so the response must not be
 * cached.
 */
export function environmentVariables(
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
