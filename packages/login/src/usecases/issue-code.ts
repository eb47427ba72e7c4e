import { randomValue, type SealContext } from '@platform/kernel';
import {
  type AuthenticatedUser,
  type CodeGrant,
  codeSeconds,
  type NativeDestination,
} from '../model/login-transaction.ts';
import { clientRedirect } from '../rules/redirects.ts';
import { saveCode } from './one-time-codes.ts';
import type { LoginPorts } from './ports.ts';

/** The seal context of a native client's authorization code. */
export const grantContext: SealContext = { purpose: 'login_code' };

/** Issues an authorization code for a native client and returns the redirect that carries it. */
export async function issueCode(
  ports: LoginPorts,
  destination: NativeDestination,
  user: AuthenticatedUser,
): Promise<string> {
  const { redirectUri, codeChallenge, nonce } = destination;
  const code = randomValue(ports.random);
  const grant: CodeGrant = { ...user, redirectUri, codeChallenge, nonce };
  await saveCode(ports, code, grant, { context: grantContext, seconds: codeSeconds });
  return clientRedirect(ports.publicUrl, destination, { code });
}
