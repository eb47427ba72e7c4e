import type { Sql } from '@platform/postgres';
import type { ChildRecords, Deployment, Draft, ProjectChild } from '@platform/projects';
import { and, eq } from 'drizzle-orm';
import { query } from '../../drizzle.ts';
import { deployments, environments } from '../../schema/projects.ts';

/** Whether the environment that a deployment names exists; it stays until the commit. */
async function hasEnvironment(sql: Sql, { projectUid, environment }: Draft<Deployment>): Promise<boolean> {
  const found = await query(sql, (db) =>
    db
      .select({ uid: environments.uid })
      .from(environments)
      .where(and(eq(environments.projectUid, projectUid), eq(environments.name, environment)))
      .for('key share'),
  );
  return found.length > 0;
}

/** Whether a deployment runs in the locked environment. */
async function hasDeployments(sql: Sql, uid: string): Promise<boolean> {
  const used = await query(sql, (db) =>
    db
      .select({ uid: deployments.uid })
      .from(environments)
      .innerJoin(
        deployments,
        and(
          eq(deployments.projectUid, environments.projectUid),
          eq(deployments.environment, environments.name),
        ),
      )
      .where(eq(environments.uid, uid))
      .limit(1),
  );
  return used.length > 0;
}

/** The rules of a kind whose records siblings name, or name siblings. */
interface References<R extends ProjectChild> {
  /** Whether the siblings that a new record names exist. */
  hasReferences?(sql: Sql, draft: Draft<R>): Promise<boolean>;
  /** Whether a sibling names the locked record. */
  isReferenced?(sql: Sql, uid: string): Promise<boolean>;
}

/** Which kinds below projects name each other. */
export const references: { readonly [Name in keyof ChildRecords]?: References<ChildRecords[Name]> } = {
  environments: { isReferenced: hasDeployments },
  deployments: { hasReferences: hasEnvironment },
};
