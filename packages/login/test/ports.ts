import type { Sealer } from '@platform/kernel';
import { createMemoryAuthorizationCodeStore } from '@platform/kernel/conformance';
import {
  type IdentityProvider,
  IdentityProviderError,
  type IdTokenClaims,
  InvalidAuthorizationResponse,
  type LoginPorts,
  type UsedStates,
} from '../src/index.ts';
import { memoryDevices } from './memory-devices.ts';

/** The dependencies of a login as fakes: a clock that the test moves, a scripted provider, stores in memory. */
export function fakeLogin(claims: Partial<IdTokenClaims> = {}) {
  const state = {
    now: 1_800_000_000_000,
    /** How far the clock of the database is behind that of the process, in milliseconds. */
    databaseBehind: 0,
    broken: false,
    /** Whether the provider refuses codes. */
    refusesCodes: false,
    logged: [] as string[],
    counter: 0,
    sessions: [] as object[],
    ended: [] as string[],
    /** When a user was signed out, by uid. */
    signedOut: new Map<string, number>(),
    /** The seconds that a user has to wait for the next attempt at a code of a device, by uid. */
    waits: new Map<string, number>(),
  };
  const provider: IdentityProvider = {
    async authorizationUrl({ state: loginState, nonce }) {
      if (state.broken) throw new IdentityProviderError('the provider is down');
      return `https://idp.example/authorize?state=${loginState}&nonce=${nonce}`;
    },
    async redeem() {
      if (state.broken) throw new IdentityProviderError('the provider is down');
      if (state.refusesCodes) throw new InvalidAuthorizationResponse('the provider refused the code');
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
  const codes = createMemoryAuthorizationCodeStore();
  const ports: LoginPorts = {
    publicUrl: 'https://platform.example',
    copiedClaims: ['name', 'groups'],
    trustUnverifiedEmail: false,
    provider,
    users: {
      upsert: async ({ subject }) => ({ uid: `uid-of-${subject}` }),
    },
    sessions: {
      async start(session) {
        const { uid, authenticatedAt } = session;
        if (authenticatedAt <= (state.signedOut.get(uid) ?? 0)) return null;
        state.sessions.push(session);
        return { id: `session-${state.sessions.length}`, startedAt: state.now };
      },
      end: async ({ id }) => void state.ended.push(id),
    },
    endedSessions: { hasEnded: ({ uid, startedAt }) => startedAt <= (state.signedOut.get(uid) ?? 0) },
    sessionSeconds: 60,
    usedStates: memoryUsedStates(() => state.now - state.databaseBehind),
    codes,
    devices: memoryDevices(codes),
    userCodeAttempts: { take: (uid) => state.waits.get(uid) ?? 0 },
    origins: {
      isProjectOrigin: async (origin) => /^https:\/\/project\.(apps\.)?example$/.test(origin),
      isTemplateOrigin: (origin) => origin.endsWith('.apps.example'),
    },
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

/** Prefixes the text with its purpose: enough to detect a text that was sealed for another purpose. */
const textSealer: Sealer = {
  seal: (plaintext, { purpose }) => `${purpose}:${plaintext}`,
  unseal: (sealed, { purpose }) =>
    sealed.startsWith(`${purpose}:`) ? sealed.slice(purpose.length + 1) : null,
};

function memoryUsedStates(now: () => number): UsedStates {
  const used = new Set<string>();
  return {
    async markUsed(hash) {
      if (used.has(hash)) return null;
      used.add(hash);
      return now();
    },
  };
}
