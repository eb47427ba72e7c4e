import { createHash } from 'node:crypto';
import type { AuditRecord } from '@platform/access';
import type { ProjectDraft } from '@platform/projects';
import type { Operations, Ports } from './operation.ts';
import { uidOf } from './rows.ts';

const page = { limit: 100, after: null };
const person = { email: 'user41@example.dev', admin: false, operator: false };
const stranger = { email: 'stranger@example.dev', admin: false, operator: false };
const admin = { email: 'stranger@example.dev', admin: true, operator: false };
const operator = { email: 'stranger@example.dev', admin: false, operator: true };
const everyone = [person, stranger, admin, operator, { ...person, admin: true, operator: true }];
const project = uidOf('a', 41);
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

const credential = {
  credentialHash: sha256('fresh'),
  credentialExpiresAt: null,
  credentialCreatedBy: null,
  credentialLastUsedAt: null,
  previousCredentialHash: sha256('old'),
  previousCredentialExpiresAt: '2030-01-01T00:00:00.000Z',
};

/** A record of a write; `n` tells records apart. */
export function audit(n: number): AuditRecord {
  return {
    id: uidOf('9', 9_000_000 + n),
    time: new Date().toISOString(),
    action: 'project.created',
    outcome: 'allowed',
    actor: { type: 'operator', id: 'op@example.dev' },
    requestId: 'request',
    sourceAddress: null,
    userAgent: null,
    details: {},
  };
}

function draft(changes: Partial<ProjectDraft> = {}): ProjectDraft {
  return {
    uid: uidOf('a', 9_000_000),
    name: 'fresh',
    organization: 'default',
    accessClass: 'private',
    url: 'https://fresh.example.dev/',
    customDomains: [],
    owner: { team: 'team1' },
    members: ['someone@example.dev'],
    ...changes,
  };
}

async function listAs(ports: Ports, list: 'projects' | 'teams'): Promise<void> {
  for (const viewer of everyone) {
    await ports[list].list(viewer, 'default', page);
    await ports[list].list(viewer, 'default', { ...page, after: list === 'teams' ? 'team5' : 'project5' });
  }
}

/** Typed resources: projects, teams and what is below them. */
export const typedOperations: Operations = {
  'project by name': {
    run: async ({ projects }) => {
      await projects.find('project41');
      await projects.findForAccount('project41', uidOf('d', 41));
    },
    indexes: [
      'project_addresses_pkey',
      'projects_name_key',
      'resources_pkey',
      'service_accounts_pkey',
      'team_members_pkey',
      'teams_pkey',
    ],
    pages: 30,
    because: 'one row, its Organization and its team',
  },
  'page of projects': {
    run: (ports) => listAs(ports, 'projects'),
    indexes: [
      'project_addresses_pkey',
      'projects_members',
      'projects_name_key',
      'projects_organization_name',
      'projects_owner_team',
      'projects_owner_user',
      'resources_name_key',
      'resources_pkey',
      'team_members_email',
      'team_members_pkey',
      'teams_pkey',
    ],
    pages: 4_000,
    because: '101 projects with Organization and team; a page of names of each of 50 Organizations',
    filtered: 200,
    sorted: 3_000,
  },
  'write of a project': {
    run: async ({ projects, projectTransactions }) => {
      await projects.insert(draft(), { uid: uidOf('c', 9_000_000) }, '2026-01-01T00:00:00.000Z', audit(1));
      await projects.insert(
        draft({ uid: uidOf('a', 9_000_001), name: 'other', owner: { user: 'a@example.dev' } }),
        { uid: uidOf('c', 9_000_001) },
        null,
        audit(2),
      );
      await projectTransactions.run(async (transaction) => {
        await transaction.lockProject('fresh', 'update');
        await transaction.projects.replace(draft({ members: [] }));
        await transaction.audit(audit(4));
        await transaction.projects.remove(project);
      });
    },
    indexes: [
      'audit_records_pkey',
      'deployments_name_key',
      'environments_name_key',
      'extension_signing_keys_pkey',
      'extensions_name_key',
      'oauth_codes_extension',
      'project_addresses_key',
      'project_addresses_pkey',
      'projects_name_key',
      'projects_pkey',
      'reserved_project_names_pkey',
      'resources_name_key',
      'resources_pkey',
      'service_accounts_name_key',
      'session_revocations_pkey',
      'team_members_pkey',
      'teams_name_key',
      'teams_pkey',
    ],
    // Whether a deployment is left in an environment: by either index while a project has few.
    alternatives: ['deployments_environment_project'],
    pages: 200,
    because: 'one row, and what is below it',
  },
  'project by address': {
    run: async ({ origins, projects }) => {
      await origins.isProjectOrigin('https://p41.example.dev');
      await projects.hasAddress('https://p41.example.dev');
    },
    indexes: ['project_addresses_key', 'project_addresses_origin'],
    pages: 20,
    because: 'one row',
  },
  'team by name': {
    run: ({ teams }) => teams.find('team41'),
    indexes: ['resources_pkey', 'team_members_pkey', 'teams_name_key'],
    pages: 40,
    because: 'one row and its people',
  },
  'page of teams': {
    run: (ports) => listAs(ports, 'teams'),
    indexes: [
      'resources_name_key',
      'resources_pkey',
      'team_members_email',
      'team_members_pkey',
      'teams_name_key',
      'teams_organization_name',
      'teams_pkey',
    ],
    pages: 4_000,
    because: '101 teams with Organization and people; a page of names of each of 50 Organizations',
    filtered: 100,
  },
  'write of a team': {
    run: async ({ teams, projectTransactions }) => {
      const fresh = {
        uid: uidOf('b', 9_000_000),
        name: 'fresh',
        organization: 'default',
        members: [{ email: 'a@example.dev', role: 'owner' as const }],
      };
      await teams.insert(fresh, audit(3));
      await projectTransactions.run(async (transaction) => {
        await transaction.lockTeam('fresh');
        await transaction.teams.replace({ ...fresh, members: [] });
        await transaction.teams.remove(fresh.uid);
      });
    },
    indexes: [
      'audit_records_pkey',
      'projects_owner_team',
      'resources_name_key',
      'resources_pkey',
      'team_members_pkey',
      'teams_name_key',
      'teams_pkey',
    ],
    pages: 60,
    because: 'one row and its people',
  },
  'child of a project': {
    run: async ({ environments, serviceAccounts, deployments, extensions }) => {
      for (const store of [environments, serviceAccounts, deployments, extensions]) {
        await store.find(project, 'production');
        await store.list(project, page);
      }
    },
    indexes: [
      'deployments_name_key',
      'environments_name_key',
      'extensions_name_key',
      'service_accounts_name_key',
    ],
    pages: 20,
    because: 'one row or two',
  },
  'write of a child': {
    run: async ({ projectTransactions }) => {
      const child = (space: string) => ({ uid: uidOf(space, 9_000_000), projectUid: project, name: 'fresh' });
      const environment = child('c');
      const account = {
        ...child('d'),
        email: 'fresh@sa.platform.local',
        issuerUrl: 'https://issuer.example.dev',
        claims: {},
      };
      const deployment = { ...child('e'), environment: 'production', ...credential };
      const extension = {
        ...child('f'),
        spec: {} as never,
        sealedUpstreamSecret: 'sealed',
        clientSecrets: [],
      };
      await projectTransactions.run(async (transaction) => {
        const { environments, serviceAccounts, deployments, extensions } = transaction;
        await transaction.lockProjectForAccount('project41', 'share', uidOf('d', 41));
        await environments.insert(environment);
        await environments.lock(project, 'fresh');
        await environments.remove(environment.uid);
        await transaction.countOtherIssuers(account);
        await serviceAccounts.insert(account);
        await serviceAccounts.lock(project, 'fresh');
        await serviceAccounts.update(account.uid, { claims: {} });
        await serviceAccounts.remove(account.uid);
        await deployments.insert(deployment);
        await deployments.lock(project, 'fresh');
        await deployments.remove(deployment.uid);
        await extensions.insert(extension);
        await extensions.lock(project, 'fresh');
        await extensions.update(extension.uid, { clientSecrets: [] });
        await extensions.remove(extension.uid);
      });
    },
    indexes: [
      'deployments_credential_hash_key',
      'deployments_name_key',
      'deployments_pkey',
      'deployments_previous_credential_hash_key',
      'environments_name_key',
      'environments_pkey',
      'extension_signing_keys_pkey',
      'extensions_client_id_key',
      'extensions_name_key',
      'extensions_pkey',
      'oauth_codes_extension',
      'project_addresses_pkey',
      'projects_name_key',
      'projects_pkey',
      'resources_name_key',
      'resources_pkey',
      'service_accounts_email_key',
      'service_accounts_name_key',
      'service_accounts_pkey',
      'session_revocations_pkey',
      'team_members_pkey',
      'teams_pkey',
    ],
    // Whether a deployment is left in an environment, or an account has an issuer: by either index while a project has few.
    alternatives: ['deployments_environment_project', 'service_accounts_issuer_project'],
    pages: 100,
    because: 'one row, its project, which is locked; one entry in each index; for an account, the bindings',
  },
  'deployment by credential': {
    run: async ({ deployments }) => {
      await deployments.findByCredentialHash(sha256('41'), Date.now());
      await deployments.findByCredentialHash(sha256('none'), Date.now());
    },
    indexes: [
      'deployments_credential_hash_key',
      'deployments_pkey',
      'deployments_previous_credential_hash_key',
      'projects_pkey',
    ],
    pages: 60,
    because: 'one row and its project; a note that it was used',
  },
  'service account by address': {
    run: ({ serviceAccountDirectory }) =>
      serviceAccountDirectory.findByEmail('project41+account@sa.platform.local'),
    indexes: ['projects_pkey', 'service_accounts_email_key'],
    pages: 20,
    because: 'one row and its project',
  },
  'service accounts of an issuer': {
    run: async ({ serviceAccountDirectory }) => {
      await serviceAccountDirectory.listByIssuer('project41', 'https://issuer.example.dev');
      await serviceAccountDirectory.hasIssuer('https://issuer.example.dev');
    },
    indexes: ['projects_name_key', 'service_accounts_issuer_project', 'service_accounts_name_key'],
    pages: 40,
    because: 'one row and its project, however many the issuer vouches for',
  },
  'extension by names': {
    run: ({ extensionDirectory }) => extensionDirectory.find('project41', 'login'),
    indexes: ['extensions_name_key', 'project_addresses_pkey', 'projects_name_key'],
    pages: 20,
    because: 'one row and its project',
  },
  'count of encryptions': {
    run: async ({ encryptLimiter }) => {
      await encryptLimiter.take('41');
      await encryptLimiter.take('fresh');
    },
    indexes: ['rate_limits_pkey'],
    pages: 60,
    because: 'one row',
  },
};

const oauthCode = (n: string) => ({
  hash: sha256(n),
  owner: uidOf('f', 99_999),
  sealed: 'sealed',
  expiresAt: Date.now() + 60_000,
});

/** Logins at the platform and through the OAuth proxy. */
export const loginOperations: Operations = {
  'login of a user': {
    run: async ({ users }) => {
      await users.upsert({
        issuer: 'https://login.example.dev',
        subject: 'subject41',
        email: 'user41@example.dev',
      });
      await users.upsert({
        issuer: 'https://login.example.dev',
        subject: 'fresh',
        email: 'fresh@example.dev',
      });
    },
    indexes: ['users_identity_key'],
    pages: 60,
    because: 'one row; one entry in each index',
  },
  'login: states and codes': {
    run: async ({ usedStates, loginCodes }) => {
      const key = { hash: sha256('fresh'), owner: null };
      const now = Date.now();
      await usedStates.markUsed(sha256('used'), now + 60_000);
      await loginCodes.save({ ...key, sealed: 'sealed', expiresAt: now + 60_000 });
      await loginCodes.peek(key, now);
      await loginCodes.consume(key, now);
    },
    indexes: ['login_once_pkey'],
    pages: 40,
    because: 'one row; one entry in each index',
  },
  'login of a device': {
    run: async ({ devices }) => {
      const now = Date.now();
      const [deviceHash, denied] = [sha256('fresh device'), sha256('refused device')];
      const facts = { clientId: 'platform-cli', scope: '', address: '192.0.2.1', userAgent: 'cli' };
      const times = { interval: 5, createdAt: now, expiresAt: now + 60_000 };
      await devices.save({ ...facts, ...times, deviceHash, userCodeHash: sha256('one') });
      await devices.save({ ...facts, ...times, deviceHash: denied, userCodeHash: sha256('two') });
      await devices.find(deviceHash);
      await devices.poll(deviceHash, now);
      await devices.poll(deviceHash, now);
      await devices.findPending(sha256('one'), now);
      await devices.approve(sha256('one'), 'sealed', now);
      await devices.deny(sha256('two'), now);
    },
    indexes: ['device_authorizations_pkey', 'device_authorizations_user_code'],
    pages: 80,
    because: 'one row; one entry in each index',
  },
  'OAuth: state and code': {
    run: async ({ oauthStates, oauthCodes }) => {
      const code = oauthCode('fresh');
      for (const store of [oauthStates, oauthCodes]) {
        await store.save(code);
        await store.peek(code, Date.now());
        await store.consume(code, Date.now());
      }
    },
    indexes: ['oauth_codes_pkey', 'oauth_states_pkey'],
    pages: 40,
    because: 'one row; one entry in each index',
  },
  'OAuth: code with a large answer': {
    run: async ({ oauthCodes }) => {
      const room = { maxBytes: 1_000_000, maxProjectBytes: 4_000_000, now: Date.now() };
      await oauthCodes.save(oauthCode('large'), room);
    },
    indexes: ['extensions_name_key', 'extensions_pkey', 'oauth_codes_extension'],
    pages: 60,
    because: 'the live codes of the extensions of the project; their texts are stored elsewhere',
  },
  'OAuth: signing keys': {
    run: async ({ signingKeys }) => {
      const extension = uidOf('f', 41);
      await signingKeys.list(extension);
      await signingKeys.listShared();
      await signingKeys.add(extension, {
        sequence: 2,
        publicKey: {} as never,
        sealedPrivateKey: 'sealed',
        createdAt: Date.now(),
      });
      await signingKeys.removeBelow(extension, 2);
    },
    indexes: ['extension_signing_keys_pkey', 'extensions_pkey'],
    pages: 40,
    because: 'the keys of one extension, and a handful of shared ones',
  },
};
