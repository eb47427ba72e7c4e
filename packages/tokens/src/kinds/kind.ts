import type { z } from 'zod';
import type { OwnAlgorithm, UnsignedToken } from '../ports/signatures.ts';

/** The names of the kinds that the platform issues. */
export type IssuedKindName = 'session' | 'access' | 'ingress' | 'workload' | 'id';

/** The claims that every issued token has. */
export interface CommonClaims {
  readonly iss: string;
  readonly aud: string;
  readonly sub: string;
  /** Seconds since the epoch, as `exp`. */
  readonly iat: number;
  readonly exp: number;
}

/** Everything that is known about one kind of token that the platform issues. */
export interface IssuedKind<Input, Claims extends CommonClaims> {
  readonly name: IssuedKindName;
  readonly alg: OwnAlgorithm;
  /** The header's `typ`, as written. */
  readonly typ: string;
  /** Whether a token without `typ` is accepted as this kind too. */
  readonly typOptional: boolean;
  /** The audience in words, for the reference documentation. */
  readonly audience: string;
  /** The configuration key of the lifetime in seconds. */
  readonly lifetimeKey: string;
  /** The claims that a token of this kind has, and those that it must not have. */
  readonly shape: z.ZodType<Claims>;
  /** The audience of a new token. */
  readonly audienceOf: (input: Input, issuer: string) => string;
  /** When a new token must have expired at the latest, in seconds since the epoch; absent where the lifetime alone decides. */
  readonly expiresBy?: (input: Input) => number;
  /** The claims of a new token beyond `iss`, `aud`, `iat`, `exp` and `jti`; throws on input that no token may hold. */
  readonly claimsOf: (
    input: Input,
    now: number,
  ) => Readonly<Record<string, unknown>> & { readonly sub: string };
}

/** The parts of a new token that its input does not have. */
export interface MintContext {
  /** `server.public_url`. */
  readonly issuer: string;
  /** Seconds since the epoch. */
  readonly now: number;
  /** A random id. */
  readonly jti: string;
  /** Lifetime in seconds. */
  readonly ttl: number;
}

/** The header and claims of a new token of this kind, ready to be signed. Pure. */
export function prepareToken<Input, Claims extends CommonClaims>(
  kind: IssuedKind<Input, Claims>,
  input: Input,
  context: MintContext,
): UnsignedToken {
  const { issuer, now, jti, ttl } = context;
  const claims = {
    ...kind.claimsOf(input, now),
    iss: issuer,
    aud: kind.audienceOf(input, issuer),
    iat: now,
    exp: now + ttl,
    jti,
  };
  return { header: { alg: kind.alg, typ: kind.typ }, claims };
}
