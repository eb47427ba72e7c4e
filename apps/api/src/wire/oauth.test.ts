import { createProviderDocuments } from '@platform/oidc-client';
import type { Infrastructure } from './infrastructure.ts';
import { wireOAuth } from './oauth.ts';

// Attack: a member of a project names so many providers that their documents evict those of everybody else.
it('the documents of the providers of extensions evict none of the identity provider and of issuers', async () => {
  const asked: string[] = [];
  const outbound = {
    async request({ url }: { readonly url: string }) {
      asked.push(url);
      const issuer = url.replace('/.well-known/openid-configuration', '');
      return { status: 200, headers: {}, body: Buffer.from(JSON.stringify({ issuer })) };
    },
    getJson: async () => ({}),
  };
  const clock = { now: () => 0 };
  const documents = createProviderDocuments({ outbound, clock, maxEntries: 1 });
  const freshness = { freshMs: 1_000, staleMs: 1_000, failureMs: 0 };
  const config = {
    server: { public_url: 'https://platform.example', cookie_secure: true },
    outbound: { allow_insecure_origins: [] },
    limits: { oauth_requests_per_minute: 1 },
  };
  const infrastructure = { config, outbound, documents, clock, logging: {}, metrics: {}, store: {} };
  const { ports } = wireOAuth(infrastructure as unknown as Infrastructure);
  await documents.discoveries.get('https://login.example', freshness);
  await ports.upstream.discover('https://tenant.example');
  await documents.discoveries.get('https://login.example', freshness);
  expect(asked.map((url) => new URL(url).host)).toEqual(['login.example', 'tenant.example']);
});
