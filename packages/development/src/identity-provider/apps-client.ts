import type { AppsClient } from './provider.ts';

/**
 * The client of OAuth extensions: it takes the callback URL of every extension of a platform. Its secret is no secret, since the provider
 * accepts every identity anyway.
 */
export function appsClientOf(publicUrl: string): AppsClient {
  const escaped = publicUrl.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const callbacks = new RegExp(`^${escaped}/oidc/[^/?#]+/[^/?#]+/callback$`);
  return {
    clientId: 'apps',
    clientSecret: 'development',
    allows: (redirectUri) => callbacks.test(redirectUri),
  };
}
