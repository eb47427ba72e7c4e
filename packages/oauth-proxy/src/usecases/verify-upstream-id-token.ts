import type { ProxyExtension } from '../model/extension.ts';
import type { Claims, TokenResponse } from '../model/flow.ts';
import { UpstreamFault } from '../ports/upstream.ts';
import { textMember } from '../rules/token-response.ts';
import type { ProxyPorts } from './ports.ts';
import { optionalMetadata } from './resolve-endpoints.ts';

/** Verifies the ID token in a response of the upstream and returns its claims; null without one. Throws {@link UpstreamFault}. */
export async function verifyUpstreamIdToken(
  ports: Pick<ProxyPorts, 'upstream' | 'logger'>,
  extension: ProxyExtension,
  answer: TokenResponse,
  nonce: string | null,
): Promise<Claims | null> {
  if (answer['id_token'] === undefined || answer['id_token'] === null) return null;
  const idToken = textMember(answer, 'id_token');
  const metadata = await optionalMetadata(ports, extension.spec);
  if (idToken === null || metadata === null) {
    throw new UpstreamFault('invalid_id_token', 'there are no keys to verify it with');
  }
  return ports.upstream.verifyIdToken(idToken, {
    metadata,
    clientId: extension.spec.client_id,
    nonce,
    accessToken: textMember(answer, 'access_token'),
  });
}
