import { createTrustedIssuers } from './trusted-issuers.ts';

const trusted = createTrustedIssuers({
  issuer: 'https://platform.example',
  controllers: {
    entries: () => [
      { id: 'c', issuer: 'https://c.example', claims: { aud: 'x' } },
      { id: 'self', issuer: 'https://platform.example', claims: { aud: 'x' } },
    ],
  },
  serviceAccounts: {
    hasIssuer: async (issuer) => issuer === 'https://s.example' || issuer === 'https://platform.example',
  },
});

describe('trusted issuers', () => {
  it.each(['https://c.example', 'https://s.example'])('are those that are configured: %s', async (issuer) => {
    expect(await trusted.isTrusted(issuer)).toBe(true);
  });

  it.each([
    'https://c.example/',
    'https://C.example',
    'http://c.example',
    'https://c.example.attacker.example',
    '',
  ])('are compared exactly: not %j', async (issuer) => {
    expect(await trusted.isTrusted(issuer)).toBe(false);
  });

  it('never include the platform itself, whatever is configured', async () => {
    expect(await trusted.isTrusted('https://platform.example')).toBe(false);
  });
});
