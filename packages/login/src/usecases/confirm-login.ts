import { Problem, randomValue, type SealContext, secretHash } from '@platform/kernel';
import { codeSeconds, type Destination, type LoggedIn, readPendingLogin } from '../model/trip.ts';
import { withParameters } from './begin-native-login.ts';
import { issueCode } from './issue-code.ts';
import type { LoginPorts } from './ports.ts';

/** A native login that waits for the person to agree. */
export interface Confirmation {
  /** To be kept in a cookie of the browser; names the pending login. */
  readonly id: string;
  readonly email: string;
  readonly redirectUri: string;
  readonly maxAgeSeconds: number;
}

const pendingContext: SealContext = { purpose: 'login_confirmation' };

/**
 * Keeps a native login until the person agrees to it.
 *
 * Attack (RFC 8252 section 8.6): a program on the machine starts a login by itself. The provider remembers the person, nobody is
 * asked anything, and the program has a session. So a person who was not asked by the provider is asked here.
 */
export async function askConfirmation(
  ports: LoginPorts,
  destination: Extract<Destination, { kind: 'native' }>,
  person: LoggedIn,
): Promise<Confirmation> {
  const id = randomValue(ports.random);
  const sealed = ports.sealer.seal(JSON.stringify({ destination, person }), pendingContext);
  await ports.once.save(secretHash(id), sealed, Math.floor(ports.clock.now() / 1000) + codeSeconds);
  return { id, email: person.email, redirectUri: destination.redirectUri, maxAgeSeconds: codeSeconds };
}

/** Ends a login that waited (`POST /api/v1/auth/authorize/confirm`): a code for the client, or `access_denied`. */
export async function confirmLogin(
  ports: LoginPorts,
  answer: { readonly id: string | null; readonly agrees: boolean },
): Promise<string> {
  const hash = secretHash(answer.id ?? '');
  const sealed = await ports.once.peek(hash, Math.floor(ports.clock.now() / 1000));
  const text = sealed === null ? null : ports.sealer.unseal(sealed, pendingContext);
  const pending = text === null ? null : readPendingLogin(text);
  if (pending === null || !(await ports.once.consume(hash))) {
    throw new Problem(
      'invalid_query',
      'This login was not started in this browser, took too long or is used up; start again.',
    );
  }
  const { destination, person } = pending;
  if (answer.agrees) return await issueCode(ports, destination, person);
  return withParameters(destination.redirectUri, {
    error: 'access_denied',
    error_description: 'The login was not confirmed',
    state: destination.state,
    iss: ports.publicUrl,
  });
}
