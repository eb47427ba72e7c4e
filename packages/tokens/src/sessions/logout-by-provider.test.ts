import { logoutByProvider } from './logout-by-provider.ts';

const token = { issuer: 'i', subject: 'ann', providerSession: null, tokenId: 'j1', expiresAt: 100 };

function fixture() {
  const used = new Set<string>();
  const ended: object[] = [];
  const ports = {
    sessions: {
      async endByProvider({ once: { hash }, ...logout }: { once: { hash: string } }) {
        if (used.has(hash)) return null;
        used.add(hash);
        ended.push(logout);
        return [{ uid: 'u1', email: 'ann@example.dev' }];
      },
    },
    keepSignOutSeconds: 60,
    verifier: { verify: async (text: string) => (text === 'good' ? token : null) },
  };
  return { ended, ports: ports as unknown as Parameters<typeof logoutByProvider>[0] };
}

describe('a logout by the identity provider', () => {
  it('ends the sessions of the account', async () => {
    const { ports, ended } = fixture();
    expect((await logoutByProvider(ports, 'good')).users).toHaveLength(1);
    expect(ended).toEqual([{ issuer: 'i', subject: 'ann', providerSession: null, keepSeconds: 60 }]);
  });

  // Attack: a captured logout token is sent again, to log the user out whenever somebody likes.
  it('counts once', async () => {
    const { ports, ended } = fixture();
    await logoutByProvider(ports, 'good');
    await expect(logoutByProvider(ports, 'good')).rejects.toMatchObject({ code: 'invalid_request' });
    expect(ended).toHaveLength(1);
  });

  it.each([null, '', 'bad'])('needs a token that is accepted, and not %j', async (text) => {
    const { ports, ended } = fixture();
    await expect(logoutByProvider(ports, text)).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(logoutByProvider({ ...ports, verifier: null }, text)).rejects.toMatchObject({
      code: 'invalid_request',
    });
    expect(ended).toEqual([]);
  });
});
