import type { Clock, Logger, RandomBytes, Sealer } from '@platform/kernel';
import type { TokenIssuer } from '@platform/tokens';
import type { IdentityProvider } from '../ports/identity-provider.ts';
import type { OneTimeStore, ProjectOrigins, UserDirectory } from '../ports/login-store.ts';
import type { ClaimPolicy } from '../rules/user-claims.ts';

/** What the use cases are given. Each takes the part that it needs. */
export interface LoginPorts extends ClaimPolicy {
  /** `server.public_url`, without a trailing slash. */
  readonly publicUrl: string;
  /** Null when `auth.issuer` is not configured: nobody can log in then. */
  readonly provider: IdentityProvider | null;
  readonly users: UserDirectory;
  readonly once: OneTimeStore;
  readonly origins: ProjectOrigins;
  readonly tokens: TokenIssuer;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly log: Logger;
}
