import { createIdentifiers, nodeRandomBytes } from '@platform/crypto';
import { testDatabase } from '@platform/development/testing';
import { systemClock } from '@platform/kernel';
import { type Database, migrate, openDatabase } from '@platform/postgres';
import type { Project, ProjectDraft, ProjectTransaction } from '@platform/projects';
import { testChange } from '../test/rows.ts';
import { audit as auditOf } from '../test/statements/typed-operations.ts';
import { openStore } from './index.ts';
import { createExtensionDirectory } from './operations/project-children/extension-directory.ts';
import { createServiceAccountDirectory } from './operations/project-children/service-account-directory.ts';
import { createProjectOrigins, createProjectStores, type ProjectStores } from './project-stores.ts';

const testing = testDatabase({ migrate: (url) => migrate({ url }) });
const identifiers = createIdentifiers(nodeRandomBytes, systemClock);
const randomHash = () => Buffer.from(nodeRandomBytes.bytes(32)).toString('hex');
const credential = (credentialHash: string) => ({
  credentialHash,
  credentialExpiresAt: null,
  credentialCreatedBy: null,
  credentialLastUsedAt: null,
  previousCredentialHash: null,
  previousCredentialExpiresAt: null,
});
const uid = () => identifiers.uid();
const audit = () => ({ ...auditOf(1), id: uid() });
const nobody = { email: 'nobody@example.dev', admin: false, operator: false };
const page = { limit: 10, after: null };

describe('the stores of the typed resources', () => {
  let database: Database;
  let stores: ProjectStores;
  let organizationUid: string;

  beforeAll(() => {
    database = openDatabase({ url: testing.url, poolMax: 8 });
    stores = createProjectStores(database);
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    await testing.sql`truncate projects, teams cascade`;
    await testing.sql`delete from resources`;
    organizationUid = await organization('default');
  });

  async function organization(name: string, tombstoned = false): Promise<string> {
    const id = uid();
    await testing.sql`
      insert into resources (uid, api_version, kind, name, discriminator, deletion_timestamp)
      values (${id}, 'platform.dev/v1alpha1', 'Organization', ${name}, ${identifiers.discriminator()},
        ${tombstoned ? new Date() : null})`;
    return id;
  }
  const draft = (overrides: Partial<ProjectDraft> = {}): ProjectDraft => ({
    uid: uid(),
    name: 'shop',
    organization: 'default',
    accessClass: 'private',
    url: `https://${overrides.name ?? 'shop'}.example.dev/start`,
    customDomains: [`https://${overrides.name ?? 'shop'}.example`],
    owner: { user: 'owner@example.dev' },
    members: ['member@example.dev'],
    ...overrides,
  });
  async function project(overrides: Partial<ProjectDraft> = {}): Promise<Project> {
    const result = await stores.projects.insert(draft(overrides), { uid: uid() }, null, audit());
    if (result.outcome !== 'created') throw new Error(result.outcome);
    return result.record;
  }

  const change = <T>(work: (transaction: ProjectTransaction) => Promise<T>) => stores.transactions.run(work);
  const removeProject = (projectUid: string) => change(({ projects }) => projects.remove(projectUid));

  it('link a project to its Organization and give it a production environment', async () => {
    const created = await project();
    expect(created).toMatchObject({
      name: 'shop',
      organization: 'default',
      organizationUid,
      members: ['member@example.dev'],
    });
    expect(await stores.projects.find('shop')).toEqual(created);
    expect((await stores.environments.list(created.uid, page)).items.map(({ name }) => name)).toEqual([
      'production',
    ]);
  });

  it('refuse a taken name, a missing and a tombstoned Organization, and a missing owner team, and write nothing', async () => {
    await project();
    await organization('old', true);
    const outcome = async (overrides: Partial<ProjectDraft>) =>
      (await stores.projects.insert(draft(overrides), { uid: uid() }, null, audit())).outcome;
    expect(await outcome({})).toBe('nameTaken');
    expect(await outcome({ name: 'a', organization: 'none' })).toBe('organizationMissing');
    expect(await outcome({ name: 'a', organization: 'old' })).toBe('organizationTerminating');
    expect(await outcome({ name: 'a', owner: { team: 'none' } })).toBe('teamMissing');
    expect(await outcome({ name: 'a', organization: 'none', owner: { team: 'none' } })).toBe(
      'organizationAndTeamMissing',
    );
    expect(await stores.projects.find('a')).toBeNull();
  });

  it('let an Organization go only when nothing is linked to it, whoever asks', async () => {
    const created = await project();
    await expect(testing.sql`delete from resources where uid = ${organizationUid}`).rejects.toThrow(
      'has projects or teams',
    );
    await removeProject(created.uid);
    await testing.sql`delete from resources where uid = ${organizationUid}`;
  });

  it('settle the race of deleting an Organization against creating a project in it: one of them loses', async () => {
    const { transactions, close } = openStore({ url: testing.url, poolMax: 4 });
    for (let round = 0; round < 30; round += 1) {
      const name = `org${round}`;
      const ref = {
        by: 'uid',
        uid: await organization(name),
        group: 'platform.dev',
        kind: 'Organization',
      } as const;
      const [insert, removed] = await Promise.all([
        stores.projects.insert(
          draft({ name: `p${round}`, organization: name }),
          { uid: uid() },
          null,
          audit(),
        ),
        transactions.run(async ({ deletion }) => {
          await deletion.lock(ref, null);
          if (await deletion.hasTypedChildren(ref.uid)) return false;
          await deletion.remove(ref.uid, testChange);
          return true;
        }),
      ]);
      expect(insert.outcome).toBe(removed ? 'organizationMissing' : 'created');
    }
    await close();
  });

  it('delete a project with everything below it', async () => {
    const { uid: projectUid } = await project();
    const hash = 'a'.repeat(64);
    const deployment = {
      uid: uid(),
      projectUid,
      name: 'd1',
      environment: 'production',
      ...credential(hash),
    };
    await change(({ deployments }) => deployments.insert(deployment));
    expect(await stores.deployments.findByCredentialHash(hash, Date.now())).toMatchObject({
      project: 'shop',
      environment: 'production',
    });
    await removeProject(projectUid);
    expect(await stores.deployments.findByCredentialHash(hash, Date.now())).toBeNull();
    expect(await stores.projects.find('shop')).toBeNull();
  });

  it('keep an environment that deployments run in, and refuse a deployment without one', async () => {
    const { uid: projectUid } = await project();
    const deployment = (environment: string, hash: string) =>
      change(({ deployments }) =>
        deployments.insert({
          uid: uid(),
          projectUid,
          name: hash.slice(0, 4),
          environment,
          ...credential(hash.repeat(16)),
        }),
      );
    const remove = (kind: 'environments' | 'deployments', name: string) =>
      change(async (transaction) => {
        const locked = await transaction[kind].lock(projectUid, name);
        return locked === null ? 'missing' : transaction[kind].remove(locked.uid);
      });
    expect((await deployment('none', 'abcd')).outcome).toBe('referenceMissing');
    expect((await deployment('production', 'abcd')).outcome).toBe('created');
    expect((await deployment('production', 'abcd')).outcome).toBe('nameTaken');
    expect(await remove('environments', 'production')).toBe('inUse');
    expect(await remove('deployments', 'abcd')).toBe('removed');
    expect(await remove('environments', 'production')).toBe('removed');
    expect(await remove('environments', 'production')).toBe('missing');
  });

  it('settle the race of deleting an environment against creating a deployment in it: one of them loses', async () => {
    const { uid: projectUid } = await project();
    for (let round = 0; round < 20; round += 1) {
      const name = `e${round}`;
      await change(({ environments }) => environments.insert({ uid: uid(), projectUid, name }));
      const draft = { uid: uid(), projectUid, name: uid(), environment: name, ...credential(randomHash()) };
      const [created, removed] = await Promise.all([
        change(({ deployments }) => deployments.insert(draft)),
        change(async ({ environments }) => {
          const locked = await environments.lock(projectUid, name);
          return locked === null ? 'missing' : environments.remove(locked.uid);
        }),
      ]);
      expect([created.outcome, removed]).toEqual(
        created.outcome === 'created' ? ['created', 'inUse'] : ['referenceMissing', 'removed'],
      );
    }
  });

  it('list what a viewer may see: of administered Organizations all, else what they own or belong to', async () => {
    await organization('other');
    await stores.teams.insert(
      {
        uid: uid(),
        name: 'crew',
        organization: 'default',
        members: [{ email: 'crew@example.dev', role: 'member' }],
      },
      audit(),
    );
    await project({ name: 'a' });
    await project({ name: 'b', owner: { team: 'crew' }, members: [] });
    await project({ name: 'c', organization: 'other', members: [] });
    const names = async (viewer: Partial<typeof nobody>, after: string | null = null) =>
      (await stores.projects.list({ ...nobody, ...viewer }, 'default', { limit: 10, after })).items.map(
        ({ name }) => name,
      );
    expect(await names({})).toEqual([]);
    expect(await names({ email: 'member@example.dev' })).toEqual(['a']);
    expect(await names({ email: 'crew@example.dev' })).toEqual(['b']);
    expect(await names({ admin: true })).toEqual(['a', 'b']);
    expect(await names({ operator: true })).toEqual(['c']);
    expect(await names({ email: 'owner@example.dev' }, 'a')).toEqual(['c']);
    expect((await stores.projects.find('b'))?.ownerTeamMembers).toEqual(['crew@example.dev']);
  });

  it('keep a team that owns a project, and replace its people', async () => {
    const team = { uid: uid(), name: 'crew', organization: 'default', members: [] };
    await stores.teams.insert(team, audit());
    const { uid: projectUid } = await project({ owner: { team: 'crew' } });
    const removeTeam = () => change(({ teams }) => teams.remove(team.uid));
    expect(await removeTeam()).toBe('inUse');
    const members = [{ email: 'a@example.dev', role: 'owner' as const }];
    expect(await change(({ teams }) => teams.replace({ ...team, members }))).toMatchObject({
      members,
      revision: 2,
    });
    await removeProject(projectUid);
    expect(await removeTeam()).toBe('removed');
    expect(await change(({ lockTeam }) => lockTeam('crew'))).toBeNull();
  });

  it('write only the members that change, count the revision up, and show each to the proxy at once', async () => {
    const { uid: projectUid } = await project();
    const secrets = (...names: string[]) => names.map((name) => ({ hash: name, sealed: name }));
    const spec = { provider_name: 'p', client_id: 'c', issuer_url: 'https://idp.example' };
    const extension = {
      uid: uid(),
      projectUid,
      name: 'google',
      spec,
      sealedUpstreamSecret: 's',
      clientSecrets: secrets('one'),
    };
    await change(({ extensions }) => extensions.insert(extension));
    const clientSecrets = secrets('two', 'one');
    await change(({ extensions }) => extensions.update(extension.uid, { clientSecrets }));
    const changed = { ...spec, client_id: 'd' };
    const updated = await change(({ extensions }) => extensions.update(extension.uid, { spec: changed }));
    expect(updated).toMatchObject({ spec: changed, clientSecrets, sealedUpstreamSecret: 's', revision: 3 });
    const found = await createExtensionDirectory(database).find('shop', 'google');
    expect(found).toMatchObject({ projectUid, projectUrl: 'https://shop.example.dev/start', clientSecrets });
    expect(await createExtensionDirectory(database).find('shop', 'none')).toBeNull();
  });

  it('find service accounts by address, and by issuer in one project only', async () => {
    const accounts = createServiceAccountDirectory(database);
    const issuerUrl = 'https://ci.example';
    for (const name of ['a', 'b']) {
      const { uid: projectUid } = await project({ name });
      const email = `${name}+bot@sa.platform.local`;
      const account = {
        uid: uid(),
        projectUid,
        name: 'bot',
        email,
        issuerUrl,
        claims: { aud: name, sub: 'a' },
      };
      await change(({ serviceAccounts }) => serviceAccounts.insert(account));
    }
    expect(await accounts.findByEmail('a+bot@sa.platform.local')).toMatchObject({ project: 'a', issuerUrl });
    expect(await accounts.findByEmail('none@sa.platform.local')).toBeUndefined();
    expect((await accounts.listByIssuer('a', issuerUrl)).map(({ email }) => email)).toEqual([
      'a+bot@sa.platform.local',
    ]);
    expect([await accounts.hasIssuer(issuerUrl), await accounts.hasIssuer('https://evil.example')]).toEqual([
      true,
      false,
    ]);
  });

  // Attack: the accounts of a project have the longest claims there are, and each raw token brings all of them into memory.
  it('hand over 512 KiB of claims of one issuer at most, those of the oldest accounts', async () => {
    const accounts = createServiceAccountDirectory(database);
    const { uid: projectUid } = await project({ name: 'a' });
    const issuerUrl = 'https://issuer.example';
    for (let at = 0; at < 8; at += 1) {
      const claims = { aud: 'platform', sub: 'x'.repeat(80_000) };
      const name = `sa-${at}`;
      const account = {
        uid: uid(),
        projectUid,
        name,
        email: `a+${name}@sa.platform.local`,
        issuerUrl,
        claims,
      };
      await change(({ serviceAccounts }) => serviceAccounts.insert(account));
    }
    const found = (await accounts.listByIssuer('a', issuerUrl)).map(({ email }) => email);
    expect(found).toEqual([0, 1, 2, 3, 4, 5].map((at) => `a+sa-${at}@sa.platform.local`));
  });

  it('know the origins of projects to the letter', async () => {
    await project();
    const origins = createProjectOrigins(database);
    expect(await origins.isProjectOrigin('https://shop.example.dev')).toBe(true);
    expect(await origins.isProjectOrigin('https://shop.example.dev.evil.example')).toBe(false);
  });
});
