import { foldEmailCase } from '@platform/kernel';
import { type Database, loginLock, type Sql } from '@platform/postgres';
import { type Identifiers, nilUid, parseUid } from '@platform/resources';
import type { Session, SessionOwner, SessionStore } from '@platform/tokens';
import { and, desc, eq, sql as expression, gt, lt, notExists, or, type SQL } from 'drizzle-orm';
import { query } from '../../drizzle.ts';
import { sessionRevocations, sessions, users } from '../../schema/index.ts';
import { endByProvider, endSession, signOut } from './end-sessions.ts';
import { deleteExpiredSessions } from './expiry.ts';
import { isRevoked, latestRevocations, revocationsSince } from './revocations.ts';
import { startSession } from './start-session.ts';

/** The sessions of all replicas. */
export function createSessionStore(sql: Database, identifiers: Pick<Identifiers, 'uid'>): SessionStore {
  return {
    start: (session) =>
      locked(sql, loginLock.start, (work) => startSession(work, identifiers.uid(), session)),
    async list(owner, { limit, after }) {
      const below = after === null ? undefined : lt(sessions.id, after);
      const rows = await query(sql, (db) =>
        db
          .select(shown)
          .from(sessions)
          .where(
            and(
              ownedBy(owner),
              below,
              live,
              notExists(db.select().from(sessionRevocations).where(isSignedOut)),
            ),
          )
          .orderBy(desc(sessions.id))
          .limit(limit + 1),
      );
      return { items: rows.slice(0, limit), more: rows.length > limit };
    },
    async find(id) {
      const uid = parseUid(id);
      if (uid === null) return null;
      const [row] = await query(sql, (db) =>
        db
          .select(shown)
          .from(sessions)
          .where(and(eq(sessions.id, uid), live)),
      );
      return row ?? null;
    },
    end: (session) => endSession(sql, session),
    signOut: (target) => locked(sql, loginLock.end, (work) => signOut(work, target)),
    endByProvider: (logout) => locked(sql, loginLock.end, (work) => endByProvider(work, logout)),
    async usersByEmail(email) {
      const rows = await query(sql, (db) =>
        db
          .select({ uid: users.uid })
          .from(users)
          .where(eq(expression`lower(${users.email} collate "C")`, foldEmailCase(email))),
      );
      return rows.map(({ uid }) => uid);
    },
    revocationsSince: (since, limit) => revocationsSince(sql, since, limit),
    latestRevocations: (limit) => latestRevocations(sql, limit),
    isRevoked: (keys, startedAt) => isRevoked(sql, keys, startedAt),
    deleteExpired: (now, limit) => deleteExpiredSessions(sql, now, limit),
  };
}

/** Runs `work` under the lock, in statements of their own: one that waited would not see what was committed meanwhile. */
function locked<T>(database: Database, lock: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  return database.withLockRetry((connections) =>
    connections.transaction(async (sql) => {
      await sql.rows(`select ${lock}`);
      return await work(sql);
    }),
  );
}

const shown = {
  id: sessions.id,
  uid: sessions.uid,
  email: sessions.email,
  createdAt: sessions.createdAt,
  expiresAt: sessions.expiresAt,
  userAgent: sessions.userAgent,
} satisfies Record<keyof Session, unknown>;

const live: SQL = gt(sessions.expiresAt, expression`now()`);

/** A login at the same time as the sign-out of its user has left a row, and its token is not accepted. */
const isSignedOut = and(
  or(
    eq(sessionRevocations.key, expression`'user:' || ${sessions.uid}`),
    eq(sessionRevocations.key, expression`'email:' || ${sessions.foldedEmail}`),
  ),
  expression`${sessionRevocations.endedUntil} >= ${sessions.createdAt}`,
);

function ownedBy(owner: SessionOwner): SQL | undefined {
  if (owner === 'everybody') return undefined;
  if ('email' in owner) return eq(sessions.foldedEmail, foldEmailCase(owner.email));
  // An id that is no uuid has no sessions, so it becomes the nil uuid, which no user has.
  return eq(sessions.uid, parseUid(owner.uid) ?? nilUid);
}
