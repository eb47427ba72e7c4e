import type { Outbound } from '@platform/kernel';
import { type ForwardedAnswer, UpstreamFault } from '@platform/oauth-proxy';
import { parseObject } from '../documents/discovery.ts';
import { callUpstream } from './fault.ts';

/** Fetches userinfo. A 200 must be a JSON object or a signed one (OpenID Connect Core, section 5.3.2); others are `unreadable`. */
export async function fetchUserinfo(
  outbound: Outbound,
  url: string,
  accessToken: string,
): Promise<ForwardedAnswer> {
  const headers = { Accept: 'application/json', Authorization: `Bearer ${accessToken}` };
  const response = await callUpstream(() => outbound.request({ method: 'GET', url, headers }));
  const { status } = response;
  const body = response.body.toString('utf8');
  const type = (response.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  if (status !== 200) return { status, contentType: 'text/plain', body: '' };
  if (type === 'application/jwt' && /^[\w-]+\.[\w-]*(\.[\w-]*){1,3}$/.test(body.trim())) {
    return { status, contentType: 'application/jwt', body: body.trim() };
  }
  if (parseObject(body) === null)
    throw new UpstreamFault('unreadable', 'userinfo did not return a JSON object');
  // Forwards the original text, because parsing would round large numbers.
  return { status, contentType: 'application/json', body };
}
