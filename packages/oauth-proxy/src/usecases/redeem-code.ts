import { secretHash } from '@platform/kernel';
import type { ProxyExtension } from '../model/extension.ts';
import { upstreamFingerprint } from '../model/extension-spec.ts';
import type { CodeRecord, TokenResponse } from '../model/flow.ts';
import { checkRedemption, invalidCode, type Redemption } from '../rules/code-redemption.ts';
import { tokenResponse } from '../rules/token-response.ts';
import { issueOidcResponse } from './issue-oidc-response.ts';
import type { ProxyPorts } from './ports.ts';
import { unsealRecord } from './seal-record.ts';

/** Redeems a code of the proxy for the tokens that are stored under it. */
export async function redeemCode(
  ports: ProxyPorts,
  extension: ProxyExtension,
  code: string,
  redemption: Redemption,
): Promise<TokenResponse> {
  const fingerprint = upstreamFingerprint(extension.spec);
  const key = { hash: secretHash(code), owner: extension.extensionUid };
  const sealed = await ports.codes.peek(key, ports.clock.now());
  const record = sealed === null ? null : unsealRecord(ports, 'oauth_code', extension, sealed);
  // Attack: the extension was changed to another provider, for which the refresh token of the first would be sealed here.
  if (record === null || (record.fingerprint ?? fingerprint) !== fingerprint) throw invalidCode();
  checkRedemption(record, redemption);
  // Attack: two concurrent redemptions both pass the checks; the database lets one of them consume the code.
  // The code is consumed after the checks, so that knowing the code is not enough to use it up.
  if ((await ports.codes.consume(key, ports.clock.now())) === null) throw invalidCode();
  return answerFor(ports, extension, record);
}

function answerFor(ports: ProxyPorts, extension: ProxyExtension, record: CodeRecord): Promise<TokenResponse> {
  const answer = tokenResponse(record.answer, ports.clock.now() - record.receivedAt);
  if (record.mode === 'passthrough') return Promise.resolve(answer);
  return issueOidcResponse(ports, extension, answer, {
    claims: record.claims,
    nonce: record.nonce,
    earlier: null,
  });
}
