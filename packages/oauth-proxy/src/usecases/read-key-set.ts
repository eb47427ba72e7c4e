import type { ExtensionName } from '../model/extension.ts';
import type { Jwk } from '../model/upstream-metadata.ts';
import { UpstreamFault } from '../ports/upstream.ts';
import { keySet } from '../rules/key-set.ts';
import { findExtension } from './find-extension.ts';
import type { ProxyPorts } from './ports.ts';

/**
 * Returns the keys of an extension. While the upstream's keys are unavailable the response has ours only: they verify the ID tokens of all
 * OpenID Connect logins, so an outage of the upstream does not log users out.
 */
export async function readKeySet(
  ports: ProxyPorts,
  name: ExtensionName,
): Promise<{ readonly keys: readonly Jwk[] }> {
  const { spec, extensionUid } = await findExtension(ports, name);
  const own = await ports.signer.publicKeys(extensionUid);
  try {
    const { metadata } = await ports.upstream.discover(spec.issuer_url);
    return keySet(own, await ports.upstream.keys(metadata));
  } catch (error) {
    if (!(error instanceof UpstreamFault)) throw error;
    ports.logger.warn('oauth.keys_unavailable', { ...name, fault: error.kind, reason: error.message });
    return keySet(own, []);
  }
}
