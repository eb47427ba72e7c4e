import { operations } from '../openapi/operations.ts';
import {
  answerTo,
  api,
  bound,
  create,
  envelope,
  guarded,
  missingUid,
  platform,
  root,
  type Sent,
  uids,
  v1,
} from './hidden-farm.ts';

/** Requests that name a resource in the query or in the body: where it is outside, and where it does not exist. */
const named: Readonly<Record<string, (name: Named) => Sent>> = {
  runBatch: ({ path }) => batchOf({ method: 'DELETE', path }),
  searchResources: ({ name }) => ({ method: 'GET', query: `q=${name}` }),
  checkAccess: ({ path }) => ({
    method: 'POST',
    body: JSON.stringify({ checks: ['get', 'list', 'update', 'restore'].map((verb) => ({ verb, path })) }),
  }),
  listAccessSubjects: ({ path }) => ({ method: 'GET', query: `verb=get&path=${path}` }),
  encrypt: ({ project }) => ({ method: 'POST', body: JSON.stringify({ plaintext: 'x', project }) }),
  mintIngressToken: ({ project }) => ({ method: 'GET', query: `project=${project}` }),
  listAudit: ({ uid, project }) => ({ method: 'GET', query: `resource=${uid}&project=${project}` }),
  revokeSession: ({ uid }) => ({ method: 'POST', body: JSON.stringify({ session_id: uid }) }),
  createProject: () => ({ method: 'POST', body: JSON.stringify({ name: 'mine', team: 'insiders' }) }),
  listSessions: ({ user }) => ({ method: 'GET', query: `user=${user}` }),
};

/** Endpoints whose requests name nothing, or nothing but what the caller presents. */
const nameless = [
  ...['listKinds', 'listPendingDeletion', 'listTeams', 'listProjects', 'createTeam', 'watchChanges'],
  ...['whoAmI', 'introspectToken', 'mintWorkloadToken', 'proxyToken'],
  // Collections at the root: nobody may write there, and lists show what may be seen; access-scopes.test.ts has them.
  ...['organizations', 'resourcedefinitions', 'roles', 'rolebindings', 'subscriptions'].flatMap((plural) =>
    ['list', 'create'].map((verb) => `${verb}_platform_dev_v1alpha1_${plural}`),
  ),
];

/** A resource or a project, in every way to name it. */
interface Named {
  readonly name: string;
  readonly uid: string;
  readonly path: string;
  readonly project: string;
  readonly user: string;
}

const batchOf = (operation: object): Sent => ({
  method: 'POST',
  body: JSON.stringify({ operations: [operation] }),
});

const existing = (): Named => ({
  name: 'south',
  uid: uids['south'] as string,
  project: 'secret',
  user: 'operator@example.dev',
  path: `${root}/${v1}/fields/dale/south`,
});
const missing = (): Named => ({
  name: 'never',
  uid: missingUid,
  project: 'absent',
  user: 'nobody00@example.dev',
  path: `${root}/${v1}/fields/dale/never`,
});

it('every endpoint without parameters in its path is in one of the two lists', () => {
  const plain = guarded.filter(({ path }) => !path.includes('{')).map(({ id }) => id);
  const listed = new Set([...Object.keys(named), ...nameless]);
  expect(plain.filter((id) => !listed.has(id))).toEqual([]);
});

describe('a user with every verb in another scope', () => {
  /** Both answers, without the names that the request itself has. */
  async function answers(path: string, requestOf: (one: Named) => Sent): Promise<readonly string[]> {
    const token = api.session(bound);
    const all = [existing(), missing()].map(async (one) => {
      const answer = await answerTo(token, path, requestOf(one));
      return Object.values(one).reduce((text, value) => text.replaceAll(value, 'NAME'), answer);
    });
    return await Promise.all(all);
  }

  it('has the access that the table compares with', async () => {
    const [status] = JSON.parse(
      await answerTo(api.session(bound), `${root}/${v1}/fields/hill/north`, { method: 'GET' }),
    );
    expect(status).toBe(200);
  });

  it.each(Object.keys(named))('cannot tell from %s what exists', async (id) => {
    const operation = operations.find((one) => one.id === id);
    const [there, nowhere] = await answers(operation?.path ?? '', named[id] as (one: Named) => Sent);
    expect(there).toBe(nowhere);
  });

  const owned = ({ uid, name }: Named) => [{ apiVersion: v1, kind: 'Field', name, uid }];
  const patch = { 'Content-Type': 'application/merge-patch+json' };
  it.each<[string, string, (one: Named) => Sent]>([
    [
      'an owner of a new resource',
      'fields/hill',
      (one) => ({
        method: 'POST',
        body: JSON.stringify(
          envelope('Field', 'x', { metadata: { name: 'x', ownerReferences: owned(one) } }),
        ),
      }),
    ],
    [
      'an owner in a patch',
      'fields/hill/north',
      (one) => ({
        method: 'PATCH',
        headers: patch,
        body: JSON.stringify({ metadata: { ownerReferences: owned(one) } }),
      }),
    ],
    [
      'an owner in a dry run',
      'fields/hill/north',
      (one) => ({
        method: 'PATCH',
        query: 'dryRun=true',
        headers: patch,
        body: JSON.stringify({ metadata: { ownerReferences: owned(one) } }),
      }),
    ],
    [
      'a field selector',
      'fields/-',
      ({ uid }) => ({ method: 'GET', query: `fieldSelector=metadata.uid%3D${uid}` }),
    ],
    [
      'a name in a selector',
      'fields/-',
      ({ name }) => ({ method: 'GET', query: `fieldSelector=metadata.name%3D${name}` }),
    ],
    [
      'a selector by owner',
      'fields/-',
      ({ uid }) => ({ method: 'GET', query: `fieldSelector=metadata.ownerReferences.uid%3D${uid}` }),
    ],
    [
      'a restored uid',
      `fields/uid:${missingUid}/restore`,
      ({ name }) => ({ method: 'POST', body: JSON.stringify({ name }) }),
    ],
  ])('cannot tell from %s what exists', async (_what, path, requestOf) => {
    const [there, nowhere] = await answers(`${root}/${v1}/${path}`, requestOf);
    // Cursors of two moments may differ.
    const still = (text = '') => text.replace(/\\"cursor\\":\\"[^"]*"/, '');
    expect(still(there)).toBe(still(nowhere));
  });

  it('cannot tell from a binding what exists', async () => {
    const path = `${root}/${platform}/rolebindings`;
    const [there, nowhere] = await answers(path, ({ uid, name }) => ({
      method: 'POST',
      body: JSON.stringify({
        apiVersion: platform,
        kind: 'RoleBinding',
        metadata: { name: 'probe' },
        spec: {
          roleRef: { name: 'admin' },
          subjects: [],
          scope: { apiVersion: v1, kind: 'Field', name, uid },
        },
      }),
    }));
    expect(there).toBe(nowhere);
    expect(there).toContain('403');
  });

  it('cannot tell from a token of a list that another caller got what exists', async () => {
    for (const name of ['a1', 'a2'])
      await create('operator', `${root}/${v1}/fields/dale`, envelope('Field', name));
    const { body } = await api.as('operator', 'get', `${root}/${v1}/fields/dale?limit=1`).expect(200);
    const { continue: token, cursor } = body.metadata;
    const query = (text: string) => ({ method: 'GET', query: text });
    const asked = async (path: string, text: string) =>
      (await answerTo(api.session(bound), `${root}/${v1}/${path}`, query(text))).replaceAll(path, 'PATH');
    for (const text of [`limit=1&continue=${token}`, `watch=true&cursor=${cursor}`]) {
      expect(await asked('fields/dale', text)).toBe(await asked('fields/none', text));
    }
  });
});
