import type { Sealer } from '@platform/kernel';
import {
  type IdentityProvider,
  IdentityProviderFault,
  type IdTokenClaims,
  type LoginPorts,
  type OneTimeStore,
} from '../src/index.ts';

/** Login on fakes: a clock that the test moves, a provider that the test scripts, a store on a map. */
export function fakeLogin(claims: Partial<IdTokenClaims> = {}) {
  const state = { now: 1_800_000_000_000, broken: false, logged: [] as string[], counter: 0 };
  const provider: IdentityProvider = {
    async authorizationUrl(trip) {
      if (state.broken) throw new IdentityProviderFault('the provider is down');
      return `https://idp.example/authorize?state=${trip.state}&nonce=${trip.nonce}`;
    },
    async redeem() {
      if (state.broken) throw new IdentityProviderFault('the provider is down');
      return {
        iss: 'https://idp.example',
        sub: 's1',
        email: 'a@example.dev',
        email_verified: true,
        name: 'A',
        ...claims,
      };
    },
  };
  const ports: LoginPorts = {
    publicUrl: 'https://platform.example',
    copiedClaims: ['name', 'groups'],
    trustUnverifiedEmail: false,
    provider,
    users: { upsert: async ({ subject }) => ({ uid: `uid-of-${subject}` }) },
    once: memoryStore(),
    origins: { isProjectOrigin: async (origin) => origin === 'https://project.example' },
    tokens: {
      issue: (kind, input) => ({ token: JSON.stringify({ kind: kind.name, input }), expiresIn: 60 }),
    },
    sealer: textSealer,
    clock: { now: () => state.now },
    random: { bytes: (length) => new Uint8Array(length).fill(++state.counter) },
    log: {
      debug() {},
      info: (line) => state.logged.push(line),
      warn: (line) => state.logged.push(line),
      error() {},
    },
  };
  return { state, ports };
}

/** Seals by writing the context in front, which is enough to see that contexts are kept apart. */
const textSealer: Sealer = {
  seal: (plaintext, { purpose }) => `${purpose}:${plaintext}`,
  unseal: (sealed, { purpose }) =>
    sealed.startsWith(`${purpose}:`) ? sealed.slice(purpose.length + 1) : null,
};

function memoryStore(): OneTimeStore {
  const entries = new Map<string, { sealed: string | null; expiresAt: number }>();
  return {
    async markUsed(hash, expiresAt) {
      if (entries.has(hash)) return false;
      entries.set(hash, { sealed: null, expiresAt });
      return true;
    },
    async save(hash, sealed, expiresAt) {
      entries.set(hash, { sealed, expiresAt });
    },
    async peek(hash, now) {
      const entry = entries.get(hash);
      return entry !== undefined && entry.expiresAt > now ? entry.sealed : null;
    },
    consume: async (hash) => entries.delete(hash),
    sweep: async () => 0,
  };
}
