import { createRequire } from 'node:module';
import type { PlatformClient } from 'platform-service-client';

const manifest = createRequire(import.meta.url)('../package.json') as { name: string; version: string };

/** The version of this command line. */
export const { version } = manifest;

/** The line that tells a user whose command line is not the one of the service; null when it is, or when the service offers none. */
export async function otherVersion(client: PlatformClient, signal: AbortSignal): Promise<string | null> {
  let offered: { readonly items: readonly { name: string; version: string; url: string }[] };
  try {
    const { text } = await client.send({ method: 'GET', path: '/downloads', signal });
    offered = client.json.parse(text) as typeof offered;
  } catch {
    // An older service has no downloads; the login itself succeeded.
    return null;
  }
  const own = offered.items.find(({ name }) => name === manifest.name);
  if (own === undefined || own.version === version) return null;
  return `platform: this is version ${version}, the service has ${own.version}; npm install --global ${own.url}`;
}
