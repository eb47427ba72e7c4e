import type { TokenRefusal } from '@platform/tokens';
import {
  createFixture,
  external,
  externalClaims,
  forge,
  ISSUER,
  issuerRsa,
  otherRsa,
  PLATFORM,
} from '../fixture.ts';

const header = { alg: 'RS256', typ: 'JWT', kid: 'one' };

describe('a refused bearer token is counted once, by the reason that its bearer is not told', () => {
  it.each<[TokenRefusal, string]>([
    ['malformed', 'no.token'],
    ['issued_here', forge(header, externalClaims({ iss: PLATFORM }), issuerRsa.privateKey)],
    ['claims', forge(header, externalClaims({ aud: undefined }), issuerRsa.privateKey)],
    ['times', forge(header, externalClaims({ exp: 1 }), issuerRsa.privateKey)],
    ['unknown_key', forge({ ...header, kid: 'nine' }, externalClaims(), issuerRsa.privateKey)],
    ['signature', forge(header, externalClaims({ iss: ISSUER }), otherRsa.privateKey)],
    ['no_match', external({ aud: 'somewhere-else' })],
  ])('%s', async (reason, token) => {
    const reasons: TokenRefusal[] = [];
    const { authenticator } = createFixture({ onRefused: (each) => reasons.push(each) });
    await expect(authenticator.bearer(token)).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(reasons).toEqual([reason]);
  });

  it.each<[TokenRefusal, string]>([
    ['malformed', 'no.token'],
    ['issued_here', forge(header, externalClaims({ iss: PLATFORM }), issuerRsa.privateKey)],
  ])('%s, from a session cookie', async (reason, token) => {
    const reasons: TokenRefusal[] = [];
    const { authenticator } = createFixture({ onRefused: (each) => reasons.push(each) });
    await expect(authenticator.session(token)).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(reasons).toEqual([reason]);
  });

  it('and one that is accepted is not', async () => {
    const reasons: TokenRefusal[] = [];
    const { authenticator } = createFixture({ onRefused: (each) => reasons.push(each) });
    await authenticator.bearer(external());
    expect(reasons).toEqual([]);
  });
});
