import { secretHash } from '@platform/kernel';
import type { ProxyExtension } from '../model/extension.ts';
import type { CodeRecord, TokenAnswer } from '../model/flow.ts';
import { checkRedemption, invalidCode, type Redemption } from '../rules/code-redemption.ts';
import { tokenAnswer } from '../rules/token-answer.ts';
import { issueOidcAnswer } from './issue-oidc-answer.ts';
import type { ProxyPorts } from './ports.ts';
import { unsealRecord } from './seal-record.ts';

/** Redeems a code of the proxy for the tokens that wait behind it. */
export async function redeemCode(
  ports: ProxyPorts,
  extension: ProxyExtension,
  code: string,
  redemption: Redemption,
): Promise<TokenAnswer> {
  const key = { hash: secretHash(code), extensionUid: extension.extensionUid };
  const sealed = await ports.flows.peekCode(key, ports.clock.now());
  const record = sealed === null ? null : unsealRecord(ports, 'oauth_code', extension, sealed);
  if (record === null) throw invalidCode();
  checkRedemption(record, redemption);
  // Attack: two redemptions at the same moment both pass the checks; the database lets one of them have the code.
  // Consuming only after the checks keeps somebody who merely saw the code from burning it.
  if (!(await ports.flows.consumeCode(key, ports.clock.now()))) throw invalidCode();
  return answerFor(ports, extension, record);
}

function answerFor(ports: ProxyPorts, extension: ProxyExtension, record: CodeRecord): Promise<TokenAnswer> {
  const answer = tokenAnswer(record.answer, ports.clock.now() - record.receivedAt);
  if (record.mode === 'passthrough') return Promise.resolve(answer);
  return issueOidcAnswer(ports, extension, answer, {
    claims: record.claims,
    nonce: record.nonce,
    subject: null,
  });
}
