import { timingSafeEqual } from 'node:crypto';
import { Problem, secretHash } from '@platform/kernel';
import type { IssuedToken } from '@platform/tokens';
import { type Destination, type LoggedIn, readTrip, type Trip, tripSeconds } from '../model/trip.ts';
import { personOf } from '../rules/user-claims.ts';
import { withParameters } from './begin-native-login.ts';
import { callbackUrl, providerUnavailable, requireProvider, tripContext } from './begin-trip.ts';
import { askConfirmation, type Confirmation } from './confirm-login.ts';
import { issueCode } from './issue-code.ts';
import { issueSession } from './issue-session.ts';
import type { LoginPorts } from './ports.ts';

/** Where the browser goes from the callback; a browser login brings a session along. */
export type Arrival =
  | { readonly location: string; readonly session: IssuedToken | null }
  | { readonly confirmation: Confirmation; readonly session: null };

/** Ends a trip (`GET /api/v1/auth/callback`): the person is known, and gets a session, or the native client a code. */
export async function finishTrip(
  ports: LoginPorts,
  request: { readonly query: URLSearchParams; readonly cookie: string | null },
): Promise<Arrival> {
  const trip = requireTrip(ports, request);
  if (!(await ports.once.markUsed(secretHash(trip.state), trip.expiresAt))) throw staleTrip();
  const upstreamError = request.query.get('error');
  if (upstreamError !== null) return refusedUpstream(ports, trip.destination, upstreamError);
  const person = await whoArrived(ports, trip, request.query);
  if (trip.destination.kind === 'native') {
    const { destination } = trip;
    return person.loggedInBefore
      ? { confirmation: await askConfirmation(ports, destination, person), session: null }
      : { location: await issueCode(ports, destination, person), session: null };
  }
  const session = issueSession(ports, person, 'browser', (reason) => new Problem('forbidden', reason));
  return { location: trip.destination.redirect, session };
}

/**
 * The trip that this browser started.
 *
 * Attack (login CSRF): a callback URL of the attacker's own login is opened in somebody else's browser, who would then
 * work in the attacker's account. The state must be the one in the sealed cookie of this browser.
 */
function requireTrip(
  { sealer, clock }: LoginPorts,
  { query, cookie }: { readonly query: URLSearchParams; readonly cookie: string | null },
): Trip {
  const text = cookie === null ? null : sealer.unseal(cookie, tripContext);
  const trip = text === null ? null : readTrip(text);
  const [state = '', ...more] = query.getAll('state');
  if (trip === null || more.length > 0 || !sameText(state, trip.state)) throw staleTrip();
  if (trip.expiresAt <= Math.floor(clock.now() / 1000)) throw staleTrip();
  return trip;
}

async function whoArrived(
  ports: LoginPorts,
  trip: Trip,
  query: URLSearchParams,
): Promise<LoggedIn & { readonly loggedInBefore: boolean }> {
  const redirectUri = callbackUrl(ports.publicUrl);
  const { state, nonce, codeVerifier } = trip;
  try {
    const provider = requireProvider(ports.provider);
    const idToken = await provider.redeem({ parameters: query, state, nonce, codeVerifier, redirectUri });
    const { issuer, subject, email, emailVerified, claims } = personOf(idToken, ports);
    const { uid } = await ports.users.upsert({ issuer, subject, email });
    if (!emailVerified) ports.log.info('a login without email_verified gets no role by its address', { uid });
    const loggedInBefore = isBefore(idToken['auth_time'], trip.expiresAt - tripSeconds);
    return { uid, email, claims, emailVerified, account: { issuer, subject }, loggedInBefore };
  } catch (error) {
    throw providerUnavailable(error, ports);
  }
}

/** Whether the provider says that the person logged in before the trip began, so that nobody was asked anything during it. */
function isBefore(authTime: unknown, startedAt: number): boolean {
  return typeof authTime === 'number' && authTime < startedAt;
}

function refusedUpstream({ log, publicUrl }: LoginPorts, destination: Destination, error: string): Arrival {
  log.info('the identity provider refused a login', { error: error.replace(/[^\w.-]/g, '?').slice(0, 100) });
  if (destination.kind === 'browser') {
    throw new Problem('forbidden', 'The identity provider refused the login.');
  }
  const { redirectUri, state } = destination;
  const parameters = {
    error: 'access_denied',
    error_description: 'The identity provider refused the login',
    state,
    iss: publicUrl,
  };
  return { location: withParameters(redirectUri, parameters), session: null };
}

function staleTrip(): Problem {
  return new Problem(
    'invalid_query',
    'This login was not started in this browser, took too long or is used up; start again.',
  );
}

/** Whether two texts are equal, in a time that tells nothing of either. */
function sameText(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(secretHash(a)), Buffer.from(secretHash(b)));
}
