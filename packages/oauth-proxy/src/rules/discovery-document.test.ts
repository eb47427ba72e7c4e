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

  it('advertises clients without a secret only where they are let in', () => {
    const methods = (clientType: { client_type?: 'confidential' }) => {
      const spec = { ...anExtension().spec, ...clientType };
      const document = discoveryDocument('https://platform.example', anExtension(), spec, metadata);
      return [
        document['token_endpoint_auth_methods_supported'],
        document['revocation_endpoint_auth_methods_supported'],
      ];
    };
    const withSecret = ['client_secret_basic', 'client_secret_post'];
    expect(methods({ client_type: 'confidential' })).toEqual([withSecret, withSecret]);
    expect(methods({})).toEqual([
      [...withSecret, 'none'],
      [...withSecret, 'none'],
    ]);
  });

  it('advertises userinfo and revocation only where upstream has them', () => {
    const document = discoveryDocument('https://platform.example', anExtension(), anExtension().spec, null);
    expect(document).not.toHaveProperty('userinfo_endpoint');
    expect(document).not.toHaveProperty('revocation_endpoint');
  });
});
