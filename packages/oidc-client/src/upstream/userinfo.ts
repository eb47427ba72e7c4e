import type { Outbound } from '@platform/kernel';
import { type ForwardedAnswer, UpstreamFault } from '@platform/oauth-proxy';
import { parseObject } from '../documents/discovery.ts';
import { asUpstream } from './fault.ts';

/** Asks the userinfo endpoint. A 200 answer is a JSON object or a signed one (OpenID Connect Core, section 5.3.2), else `unreadable`. */
export async function askUserinfo(
  outbound: Outbound,
  url: string,
  accessToken: string,
): Promise<ForwardedAnswer> {
  const headers = { Accept: 'application/json', Authorization: `Bearer ${accessToken}` };
  const answer = await asUpstream(() => outbound.request({ method: 'GET', url, headers }));
  const { status } = answer;
  const body = answer.body.toString('utf8');
  const type = (answer.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  if (status !== 200) return { status, contentType: 'text/plain', body: '' };
  if (type === 'application/jwt' && /^[\w-]+\.[\w-]*(\.[\w-]*){1,3}$/.test(body.trim())) {
    return { status, contentType: 'application/jwt', body: body.trim() };
  }
  if (parseObject(body) === null)
    throw new UpstreamFault('unreadable', 'userinfo did not answer a JSON object');
  // The text itself goes on: parsing would lose large numbers.
  return { status, contentType: 'application/json', body };
}
