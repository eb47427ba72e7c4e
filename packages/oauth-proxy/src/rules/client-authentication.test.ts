import { secretHash } from '@platform/kernel';
import { anExtension } from '../../test/fakes.ts';
import { authenticateClient } from './client-authentication.ts';

const secret = 's+c r:t%';
const extension = anExtension({ clientSecrets: [{ hash: secretHash(secret), sealed: '' }] });
const form = (values: Record<string, string>) => new Map(Object.entries(values));
const basic = (id: string, password: string) =>
  `Basic ${Buffer.from(`${id}:${password}`).toString('base64')}`;
const encoded = encodeURIComponent(secret).replaceAll('%20', '+');

describe('authenticateClient', () => {
  it('takes the secret from the form, from the header, or none', () => {
    expect(
      authenticateClient(
        { parameters: form({ client_id: 'shop-login', client_secret: secret }), authorization: undefined },
        extension,
      ),
    ).toBe('confidential');
    expect(
      authenticateClient({ parameters: form({}), authorization: basic('shop-login', encoded) }, extension),
    ).toBe('confidential');
    expect(
      authenticateClient(
        { parameters: form({ client_id: 'shop-login' }), authorization: basic('shop-login', encoded) },
        extension,
      ),
    ).toBe('confidential');
    expect(
      authenticateClient(
        { parameters: form({ client_id: 'shop-login' }), authorization: undefined },
        extension,
      ),
    ).toBe('public');
  });

  it.each([
    ['a wrong secret in the form', { client_id: 'shop-login', client_secret: 'wrong' }, undefined],
    ['a wrong client id', { client_id: 'other', client_secret: secret }, undefined],
    ['a wrong client id of a public client', { client_id: 'other' }, undefined],
    ['a wrong secret in the header', {}, basic('shop-login', 'wrong')],
    ['two different client ids', { client_id: 'other' }, basic('shop-login', encoded)],
    ['a header without a colon', {}, `Basic ${Buffer.from('shop-login').toString('base64')}`],
    ['a header that is not base64', {}, 'Basic ???'],
    ['another scheme', { client_id: 'shop-login', client_secret: secret }, 'Bearer x'],
    ['a bad percent-encoding', {}, basic('shop-login', '%zz')],
  ])('refuses %s as invalid_client', (_what, values, header) => {
    expect(() =>
      authenticateClient(
        { parameters: form(values as Record<string, string>), authorization: header },
        extension,
      ),
    ).toThrow(expect.objectContaining({ code: 'invalid_client', status: 401 }));
  });

  it('challenges a client that used the header, and no other', () => {
    expect(() =>
      authenticateClient({ parameters: form({}), authorization: basic('shop-login', 'wrong') }, extension),
    ).toThrow(expect.objectContaining({ challenge: expect.stringMatching(/^Basic /) }));
    const posted = form({ client_id: 'shop-login', client_secret: 'wrong' });
    expect(() => authenticateClient({ parameters: posted, authorization: undefined }, extension)).toThrow(
      expect.objectContaining({ code: 'invalid_client', challenge: undefined }),
    );
  });

  it('refuses two ways at once, and no client id, as invalid_request', () => {
    const twice = () =>
      authenticateClient(
        { parameters: form({ client_secret: secret }), authorization: basic('shop-login', encoded) },
        extension,
      );
    expect(twice).toThrow(expect.objectContaining({ code: 'invalid_request' }));
    expect(() => authenticateClient({ parameters: form({}), authorization: undefined }, extension)).toThrow(
      'client_id is required',
    );
  });

  it('does not take an extension without secrets for one with an empty secret', () => {
    const bare = anExtension({ clientSecrets: [] });
    expect(authenticateClient({ parameters: form({}), authorization: basic('shop-login', '') }, bare)).toBe(
      'public',
    );
    expect(() =>
      authenticateClient(
        { parameters: form({ client_id: 'shop-login', client_secret: 'x' }), authorization: undefined },
        bare,
      ),
    ).toThrow();
  });

  it('always asks a confidential client for its secret', () => {
    const { spec, ...rest } = extension;
    const confidential = { ...rest, spec: { ...spec, client_type: 'confidential' as const } };
    const public_ = form({ client_id: 'shop-login' });
    expect(() => authenticateClient({ parameters: public_, authorization: undefined }, confidential)).toThrow(
      expect.objectContaining({ code: 'invalid_client' }),
    );
    expect(
      authenticateClient({ parameters: form({}), authorization: basic('shop-login', encoded) }, confidential),
    ).toBe('confidential');
  });
});
