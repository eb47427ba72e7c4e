import type { Clock, RandomBytes } from '@platform/kernel';
import { type CommonClaims, type IssuedKind, type IssuedKindName, prepareToken } from '../kinds/kind.ts';
import type { Signer } from '../ports/signatures.ts';

/** A token that was just made. */
export interface IssuedToken {
  readonly token: string;
  /** Its lifetime in seconds. */
  readonly expiresIn: number;
}

/** The dependencies of issuing. */
export interface TokenIssuerDeps {
  /** `server.public_url`. */
  readonly issuer: string;
  /** The lifetime of each kind in seconds, read from the configuration key that its table entry names. */
  readonly lifetimes: Readonly<Record<IssuedKindName, number>>;
  readonly signer: Signer;
  readonly clock: Clock;
  readonly random: RandomBytes;
}

/** Makes tokens of every issued kind. */
export interface TokenIssuer {
  /**
   * Signs a new token of the kind. `ttlSeconds` shortens or replaces the configured lifetime; whole seconds.
   * The kind may bound it: see {@link IssuedKind.expiresBy}.
   */
  issue<Input, Claims extends CommonClaims>(
    kind: IssuedKind<Input, Claims>,
    input: Input,
    ttlSeconds?: number,
  ): IssuedToken;
}

const jtiBytes = 16;

/** Creates the issuer of tokens from the pure minting, the clock, the random ids and the signer. */
export function createTokenIssuer(deps: TokenIssuerDeps): TokenIssuer {
  return {
    issue(kind, input, ttlSeconds) {
      const now = Math.floor(deps.clock.now() / 1000);
      const lifetime = ttlSeconds ?? deps.lifetimes[kind.name];
      const ttl = Math.min(lifetime, Math.floor((kind.expiresBy?.(input) ?? Infinity) - now));
      const unsigned = prepareToken(kind, input, {
        issuer: deps.issuer,
        now,
        jti: Buffer.from(deps.random.bytes(jtiBytes)).toString('base64url'),
        ttl,
      });
      return { token: deps.signer.sign(unsigned), expiresIn: ttl };
    },
  };
}
