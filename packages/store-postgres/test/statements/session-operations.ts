import { createHash } from 'node:crypto';
import type { Operations } from './operation.ts';
import { uidOf } from './rows.ts';

const page = { limit: 100, after: null };
const user = uidOf('3', 41);
const session = {
  uid: user,
  email: 'user41@example.dev',
  issuer: 'https://login.example.dev',
  subject: 'subject41',
  providerSession: 'fresh',
  userAgent: 'Browser/1.0',
  seconds: 3600,
  authenticatedAt: Date.now(),
};
const signOut = { uids: [user], email: 'user41@example.dev', keepSeconds: 3600 };
const account = { issuer: 'https://login.example.dev', subject: 'subject42', keepSeconds: 3600 };

const once = (logout: string) => ({
  hash: createHash('sha256').update(logout).digest('hex'),
  expiresAt: Date.now() + 60_000,
});

/** Sessions of people, and their ends. */
export const sessionOperations: Operations = {
  'start and end of a session': {
    run: async ({ sessions }) => {
      const { id = '' } = (await sessions.start(session)) ?? {};
      await sessions.find(id);
      await sessions.end({ id, expiresAt: Math.ceil(Date.now() / 1000) + 3600 });
    },
    indexes: ['session_revocations_pkey', 'sessions_pkey'],
    pages: 40,
    because: 'one row; one entry in each index',
  },
  'page of sessions': {
    run: async ({ sessions }) => {
      await sessions.list({ uid: user }, page);
      await sessions.list({ email: 'user41@example.dev' }, page);
      await sessions.list('everybody', page);
      await sessions.list('everybody', { ...page, after: uidOf('7', 15_000) });
    },
    indexes: ['session_revocations_pkey', 'sessions_email', 'sessions_pkey', 'sessions_user'],
    pages: 1_200,
    because: 'a row for each session, and whether its user was signed out',
    filtered: 200,
  },
  'sign-out of a user': {
    run: async ({ sessions }) => {
      await sessions.usersByEmail('user41@example.dev');
      await sessions.signOut(signOut);
    },
    indexes: ['session_revocations_pkey', 'sessions_email', 'sessions_user', 'users_email'],
    pages: 100,
    because: 'the sessions of one user',
  },
  'logout at the identity provider': {
    run: async ({ sessions }) => {
      await sessions.endByProvider({ ...account, providerSession: 'p42', once: once('p42') });
      await sessions.endByProvider({ ...account, providerSession: null, once: once('account') });
    },
    indexes: [
      'login_once_pkey',
      'session_revocations_pkey',
      'sessions_account',
      'sessions_provider_session',
      'users_identity_key',
    ],
    pages: 100,
    because: 'the sessions of one account',
  },
  'revocations that replicas follow': {
    run: async ({ sessions }) => {
      await sessions.latestRevocations(1_000);
      await sessions.revocationsSince({ revokedAt: Date.now() - 30_000, key: '' }, 1_000);
      await sessions.isRevoked(['session:41', 'user:41'], Date.now());
    },
    indexes: ['session_revocations_order', 'session_revocations_pkey'],
    pages: 1_200,
    because: 'the ends of the last seconds; a thousand at the start of a process',
  },
};
