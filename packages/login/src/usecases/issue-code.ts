import { randomValue, type SealContext, secretHash } from '@platform/kernel';
import { codeSeconds, type Destination, type Grant, type LoggedIn } from '../model/trip.ts';
import { withParameters } from './begin-native-login.ts';
import type { LoginPorts } from './ports.ts';

/** What a native client's code is sealed for. */
export const grantContext: SealContext = { purpose: 'login_code' };

/** Issues a code for a native client, and tells where the browser takes it. */
export async function issueCode(
  ports: LoginPorts,
  { redirectUri, state, codeChallenge, nonce }: Extract<Destination, { kind: 'native' }>,
  person: LoggedIn,
): Promise<string> {
  const code = randomValue(ports.random);
  const { uid, email, claims, emailVerified, account } = person;
  const grant: Grant = { uid, email, claims, emailVerified, account, redirectUri, codeChallenge, nonce };
  const expiresAt = Math.floor(ports.clock.now() / 1000) + codeSeconds;
  await ports.once.save(secretHash(code), ports.sealer.seal(JSON.stringify(grant), grantContext), expiresAt);
  // `iss` tells the client which server answered (RFC 9207).
  return withParameters(redirectUri, { code, state, iss: ports.publicUrl });
}
