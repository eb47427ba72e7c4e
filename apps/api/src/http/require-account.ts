import { Problem } from '@platform/kernel';
import type { Principal, ServiceAccountPrincipal } from '@platform/tokens';

/** The dependencies of {@link requireAccount}. */
export interface AccountDeps {
  /** Must say whether the service account with that uid exists in its project now. */
  readonly accountExists: (account: ServiceAccountPrincipal) => Promise<boolean>;
}

/**
 * Refuses a service account that was deleted. Attack: an access token outlives its account. For endpoints whose answer does not depend
 * on anything else that ends with the account.
 */
export async function requireAccount({ accountExists }: AccountDeps, principal: Principal): Promise<void> {
  if (principal.type === 'service_account' && !(await accountExists(principal))) {
    throw new Problem('unauthenticated', 'The service account of this token no longer exists.');
  }
}
