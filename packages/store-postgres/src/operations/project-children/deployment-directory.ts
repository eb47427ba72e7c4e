import type { Sql } from '@platform/postgres';
import type { DeploymentDirectory } from '@platform/projects';
import { and, eq, gt, isNull, lt, or } from 'drizzle-orm';
import { query } from '../../drizzle.ts';
import { deployments, projects } from '../../schema/projects.ts';

/** The precision of `last_used_at`, so that a credential in constant use costs one write in this many milliseconds. */
const useInterval = 60_000;

/** Finds deployments by the hash of their bootstrap credential. */
export function createDeploymentDirectory(sql: Sql): DeploymentDirectory {
  return {
    async findByCredentialHash(hash, now) {
      const at = new Date(now).toISOString();
      const stale = new Date(now - useInterval).toISOString();
      const found = (await findCurrent(sql, hash, at)) ?? (await findPrevious(sql, hash, at));
      if (found === undefined) return null;
      const { lastUsedAt, ...identity } = found;
      if (lastUsedAt !== undefined && (lastUsedAt === null || lastUsedAt < stale)) {
        await noteUse(sql, identity.deployment, at, stale);
      }
      return identity;
    },
  };
}

const identity = {
  deployment: deployments.uid,
  environment: deployments.environment,
  project: projects.name,
  projectUid: projects.uid,
};

async function findCurrent(sql: Sql, hash: string, now: string) {
  const [row] = await query(sql, (db) =>
    db
      .select({ ...identity, lastUsedAt: deployments.credentialLastUsedAt })
      .from(deployments)
      .innerJoin(projects, eq(projects.uid, deployments.projectUid))
      .where(
        and(
          eq(deployments.credentialHash, hash),
          or(isNull(deployments.credentialExpiresAt), gt(deployments.credentialExpiresAt, now)),
        ),
      ),
  );
  return row;
}

/** By the credential before the last rotation, whose use is not noted: `last_used_at` tells whether the new one has arrived. */
async function findPrevious(sql: Sql, hash: string, now: string) {
  const [row] = await query(sql, (db) =>
    db
      .select(identity)
      .from(deployments)
      .innerJoin(projects, eq(projects.uid, deployments.projectUid))
      .where(
        and(eq(deployments.previousCredentialHash, hash), gt(deployments.previousCredentialExpiresAt, now)),
      ),
  );
  return row === undefined ? undefined : { ...row, lastUsedAt: undefined };
}

/** Of concurrent uses of a credential one writes; the others skip the locked row. */
async function noteUse(sql: Sql, uid: string, now: string, stale: string): Promise<void> {
  await query(sql, (db) => {
    const free = db
      .select({ uid: deployments.uid })
      .from(deployments)
      .where(
        and(
          eq(deployments.uid, uid),
          or(isNull(deployments.credentialLastUsedAt), lt(deployments.credentialLastUsedAt, stale)),
        ),
      )
      .for('no key update', { skipLocked: true });
    return db.update(deployments).set({ credentialLastUsedAt: now }).where(eq(deployments.uid, free));
  });
}
