import { anExtension, FakeUpstream } from '../../test/fakes.ts';
import type { Discovery } from '../ports/upstream.ts';
import { discoveryDocument } from './discovery-document.ts';

const { metadata } = new FakeUpstream().discovery as Discovery;
const base = 'https://platform.example/oidc/shop/login';

describe('discoveryDocument', () => {
  it('points at the proxy only', () => {
    const document = discoveryDocument(
      'https://platform.example',
      anExtension(),
      anExtension().spec,
      metadata,
    );
    expect(document).toMatchObject({
      issuer: base,
      authorization_endpoint: `${base}/authorize`,
      token_endpoint: `${base}/token`,
      jwks_uri: `${base}/jwks`,
      userinfo_endpoint: `${base}/userinfo`,
      revocation_endpoint: `${base}/revoke`,
    });
    expect(JSON.stringify(document)).not.toContain('idp.example');
  });

  it('advertises userinfo and revocation only where upstream has them', () => {
    const document = discoveryDocument('https://platform.example', anExtension(), anExtension().spec, null);
    expect(document).not.toHaveProperty('userinfo_endpoint');
    expect(document).not.toHaveProperty('revocation_endpoint');
  });
});
