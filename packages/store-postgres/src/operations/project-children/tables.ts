import type { OAuthExtensionSpec, StoredClientSecret } from '@platform/oauth-proxy';
import type { Sql } from '@platform/postgres';
import type {
  Changes,
  ChildRecords,
  Deployment,
  Environment,
  Extension,
  ProjectChild,
  ServiceAccount,
} from '@platform/projects';
import type { ClaimPatterns } from '@platform/tokens';
import { and, eq } from 'drizzle-orm';
import { query } from '../../drizzle.ts';
import {
  type ChildTable,
  deployments,
  environments,
  extensions,
  serviceAccounts,
} from '../../schema/projects.ts';

/** How one kind below projects is stored: its table, and the columns besides those of every kind. */
export interface ChildMapping<R extends ProjectChild> {
  readonly table: ChildTable;
  /** The columns of the members that are given. */
  write(changes: Changes<R>): Readonly<Record<string, unknown>>;
  /** The record that a row of the table holds. */
  read(row: Readonly<Record<string, unknown>>): R;
  /** Whether the siblings that the record names exist; they stay until the commit. */
  hasReferences?(sql: Sql, draft: Changes<R> & { readonly projectUid: string }): Promise<boolean>;
  /** Whether a sibling names the locked record. */
  isReferenced?(sql: Sql, uid: string): Promise<boolean>;
}

/** Environments: only the columns that every kind has. */
const environmentMapping: ChildMapping<Environment> = {
  table: environments,
  write: () => ({}),
  read: sharedOf,
  async isReferenced(sql, uid) {
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
  },
};

/** Service accounts. */
const serviceAccountMapping: ChildMapping<ServiceAccount> = {
  table: serviceAccounts,
  write: ({ email, issuerUrl, claims }) => ({ email, issuerUrl, claims: toJson(claims) }),
  read: (row) => {
    const { email, issuerUrl, claims } = row as typeof serviceAccounts.$inferSelect;
    return { ...sharedOf(row), email, issuerUrl, claims: readClaims(claims) };
  },
};

/** Deployments. */
const deploymentMapping: ChildMapping<Deployment> = {
  table: deployments,
  write: ({ previousCredential, ...columns }) =>
    previousCredential === undefined
      ? columns
      : {
          ...columns,
          previousCredentialHash: previousCredential?.hash ?? null,
          previousCredentialExpiresAt: previousCredential?.expiresAt ?? null,
        },
  read: (row) => {
    const { environment, previousCredentialHash: hash, ...columns } = row as typeof deployments.$inferSelect;
    const { previousCredentialExpiresAt: expiresAt } = columns;
    return {
      ...sharedOf(row),
      environment,
      credentialHash: columns.credentialHash,
      credentialExpiresAt: columns.credentialExpiresAt,
      credentialCreatedBy: columns.credentialCreatedBy,
      credentialLastUsedAt: columns.credentialLastUsedAt,
      previousCredential: hash === null || expiresAt === null ? null : { hash, expiresAt },
    };
  },
  async hasReferences(sql, { projectUid, environment = '' }) {
    const found = await query(sql, (db) =>
      db
        .select({ uid: environments.uid })
        .from(environments)
        .where(and(eq(environments.projectUid, projectUid), eq(environments.name, environment)))
        .for('key share'),
    );
    return found.length > 0;
  },
};

/** Extensions. */
const extensionMapping: ChildMapping<Extension> = {
  table: extensions,
  write: ({ spec, sealedUpstreamSecret, clientSecrets }) => ({
    spec: toJson(spec),
    sealedUpstreamSecret,
    clientSecrets: toJson(clientSecrets),
  }),
  read: (row) => {
    const { spec, sealedUpstreamSecret, clientSecrets } = row as typeof extensions.$inferSelect;
    return {
      ...sharedOf(row),
      spec: JSON.parse(spec) as OAuthExtensionSpec,
      sealedUpstreamSecret,
      clientSecrets: JSON.parse(clientSecrets) as readonly StoredClientSecret[],
    };
  },
};

/** How each kind below projects is stored. */
export const childMappings: { readonly [Name in keyof ChildRecords]: ChildMapping<ChildRecords[Name]> } = {
  environments: environmentMapping,
  serviceAccounts: serviceAccountMapping,
  deployments: deploymentMapping,
  extensions: extensionMapping,
};

/** Stored claim patterns, without a prototype, so that no claim name can meet an inherited member. */
export function readClaims(text: string): ClaimPatterns {
  return Object.assign(Object.create(null), JSON.parse(text)) as ClaimPatterns;
}

function sharedOf(row: Readonly<Record<string, unknown>>): ProjectChild {
  const { uid, projectUid, name, revision, createdAt } = row as typeof environments.$inferSelect;
  return { uid, projectUid, name, revision, createdAt };
}

function toJson(value: unknown): string | undefined {
  return value === undefined ? undefined : JSON.stringify(value);
}
