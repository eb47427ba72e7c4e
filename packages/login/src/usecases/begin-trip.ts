import { Problem, randomValue, type SealContext } from '@platform/kernel';
import { type Destination, type Trip, tripSeconds } from '../model/trip.ts';
import { type IdentityProvider, IdentityProviderFault } from '../ports/identity-provider.ts';
import type { LoginPorts } from './ports.ts';

/** A trip to the identity provider: where the browser goes, and the cookie that it takes along. */
export interface Departure {
  readonly location: string;
  /** The sealed trip; bound to the browser by being its cookie. */
  readonly cookie: string;
  readonly maxAgeSeconds: number;
}

/** What a trip's cookie is sealed for. */
export const tripContext: SealContext = { purpose: 'login_trip' };

/** Starts a trip with a state, a nonce and a PKCE verifier of its own. */
export async function beginTrip(
  ports: Pick<LoginPorts, 'provider' | 'publicUrl' | 'sealer' | 'clock' | 'random' | 'log'>,
  destination: Destination,
): Promise<Departure> {
  const provider = requireProvider(ports.provider);
  const trip: Trip = {
    state: randomValue(ports.random),
    nonce: randomValue(ports.random),
    codeVerifier: randomValue(ports.random),
    expiresAt: Math.floor(ports.clock.now() / 1000) + tripSeconds,
    destination,
  };
  const redirectUri = callbackUrl(ports.publicUrl);
  try {
    const location = await provider.authorizationUrl({
      ...trip,
      redirectUri,
      asksAuthTime: destination.kind === 'native',
    });
    const cookie = ports.sealer.seal(JSON.stringify(trip), tripContext);
    return { location, cookie, maxAgeSeconds: tripSeconds };
  } catch (error) {
    throw providerUnavailable(error, ports);
  }
}

/** The one redirect URI that the platform has at its identity provider. */
export function callbackUrl(publicUrl: string): string {
  return `${publicUrl}/api/v1/auth/callback`;
}

/** The provider, or a clear answer where none is configured. */
export function requireProvider(provider: IdentityProvider | null): IdentityProvider {
  if (provider === null) throw new Problem('unavailable', 'Login is not configured: auth.issuer is not set.');
  return provider;
}

/** What a person is told when the identity provider fails; the cause goes to the log. Other errors pass through. */
export function providerUnavailable(error: unknown, { log }: Pick<LoginPorts, 'log'>): unknown {
  if (!(error instanceof IdentityProviderFault)) return error;
  log.warn('the identity provider failed', { fault: error.message });
  return new Problem('unavailable', 'The identity provider did not answer as it should; try again.', {
    retryAfterSeconds: 5,
    cause: error,
  });
}
