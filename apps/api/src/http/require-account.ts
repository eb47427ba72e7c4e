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

/**
 * The error of a request as its caller gets it. A service account that was deleted gets 401 instead of a 403: its bindings ended with it,
 * so everything is refused. Only a refused request takes the look-up.
 */
export async function refusalFor(
  deps: AccountDeps,
  principal: Principal | null,
  error: unknown,
): Promise<unknown> {
  if (principal === null || !(error instanceof Problem) || error.status !== 403) return error;
  return await requireAccount(deps, principal).then(
    () => error,
    (ended: unknown) => ended,
  );
}
