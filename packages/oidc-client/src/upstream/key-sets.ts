import type { Clock, Outbound } from '@platform/kernel';
import { type Jwk, UpstreamFault } from '@platform/oauth-proxy';
import { parseObject } from './discovery.ts';
import { asUpstream } from './fault.ts';
import { Fetched } from './fetched.ts';

/** How long keys are believed, and how often an unknown key id may make them be fetched (contract 3), in milliseconds. */
export const keyTiming = {
  freshMs: 60_000,
  staleMs: 60 * 60_000,
  failureMs: 2_000,
  unknownKidMs: 30_000,
} as const;

const MAX_KEYS = 100;
/** 8192 bits in characters of base64url. Attack: a tenant's key of a million bits takes minutes to use. */
const MAX_MEMBER_LENGTH = 1366;

/** The key sets of upstreams, by their `jwks_uri`. */
export class KeySets {
  readonly #outbound: Outbound;
  readonly #sets: Fetched<readonly Jwk[]>;

  constructor(outbound: Outbound, clock: Clock) {
    this.#outbound = outbound;
    this.#sets = new Fetched(clock, keyTiming, 1000);
  }

  /** The keys, at most {@link keyTiming}.freshMs old where they can be had. */
  get(jwksUri: string): Promise<readonly Jwk[]> {
    return this.#sets.get(jwksUri, () => this.#fetch(jwksUri));
  }

  /**
   * The keys as they are now, for a token whose key id is unknown; null when they were fetched a moment ago.
   * Attack: a flood of tokens with invented key ids makes the service flood the provider.
   */
  async afterRotation(jwksUri: string): Promise<readonly Jwk[] | null> {
    if (this.#sets.age(jwksUri) < keyTiming.unknownKidMs) return null;
    return this.#sets.refetch(jwksUri, () => this.#fetch(jwksUri));
  }

  async #fetch(url: string): Promise<readonly Jwk[]> {
    const { status, body } = await asUpstream(() =>
      this.#outbound.request({ method: 'GET', url, headers: { Accept: 'application/json' } }),
    );
    if (status !== 200) throw new UpstreamFault('bad_status', `the key set answered with status ${status}`);
    const keys = parseObject(body.toString('utf8'))?.['keys'];
    if (!Array.isArray(keys)) throw new UpstreamFault('unreadable', 'the key set has no keys');
    return keys.slice(0, MAX_KEYS).filter(isUsable);
  }
}

function isUsable(key: unknown): key is Jwk {
  if (typeof key !== 'object' || key === null || Array.isArray(key)) return false;
  return ['n', 'e', 'x', 'y', 'kid'].every((member) => {
    const value = (key as Jwk)[member];
    return value === undefined || (typeof value === 'string' && value.length <= MAX_MEMBER_LENGTH);
  });
}
