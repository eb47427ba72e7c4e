import type { AuthorizationCodeStore, Clock, Logger, RandomBytes, Sealer } from '@platform/kernel';
import type { EndedSessions, TokenIssuer } from '@platform/tokens';
import type { DeviceAuthorizationStore } from '../ports/device-authorization-store.ts';
import type { IdentityProvider } from '../ports/identity-provider.ts';
import type { ProjectOrigins, SessionRegistry, UsedStates, UserDirectory } from '../ports/stores.ts';
import type { ClaimPolicy } from '../rules/user-claims.ts';

/** Limits how many codes of devices one user may try. */
export interface UserCodeAttempts {
  /** Must count one attempt of a user, by uid, and return the seconds to wait: 0 when it is allowed. Must bound its memory. */
  take(uid: string): number;
}

/** The dependencies of the use cases. Each use case takes the part that it needs. */
export interface LoginPorts extends ClaimPolicy {
  /** `server.public_url`, without a trailing slash. */
  readonly publicUrl: string;
  /** Null when `auth.issuer` is not configured: nobody can log in then. */
  readonly provider: IdentityProvider | null;
  readonly users: UserDirectory;
  readonly sessions: SessionRegistry;
  readonly endedSessions: EndedSessions;
  /** `server.jwt_expiry_seconds`. */
  readonly sessionSeconds: number;
  readonly usedStates: UsedStates;
  readonly codes: AuthorizationCodeStore;
  readonly devices: DeviceAuthorizationStore;
  readonly userCodeAttempts: UserCodeAttempts;
  readonly origins: ProjectOrigins;
  readonly tokens: TokenIssuer;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly log: Logger;
}
