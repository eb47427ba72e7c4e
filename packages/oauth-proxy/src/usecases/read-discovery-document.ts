import type { ExtensionName } from '../model/extension.ts';
import { discoveryDocument } from '../rules/discovery-document.ts';
import { findExtension } from './find-extension.ts';
import type { ProxyPorts } from './ports.ts';
import { optionalMetadata } from './resolve-endpoints.ts';

/** Returns the discovery document of an extension, also served as RFC 8414 metadata. Fails like a login when the upstream's document is unavailable. */
export async function readDiscoveryDocument(
  ports: ProxyPorts,
  name: ExtensionName,
): Promise<Readonly<Record<string, unknown>>> {
  const extension = await findExtension(ports, name);
  const upstream = await optionalMetadata(ports, extension.spec);
  return discoveryDocument(ports.publicUrl, extension, extension.spec, upstream);
}
