import { decodeJwt } from 'jose';
import request from '../openapi/documented-request.ts';
import { auditOf } from './audit-records.ts';
import { people } from './whole-api.ts';
import { apiWithProvider, logIn } from './with-provider.ts';

const ann = { subject: 'ann', email: 'ann@example.dev', name: 'Ann', groups: [], note: '' };

const api = apiWithProvider({}, { people: [ann] });

const login = () => logIn(api, 'ann');

const post = (path: string, token?: string) => {
  const sent = request(api.publicUrl).post(path);
  return token === undefined ? sent : sent.set('Authorization', `Bearer ${token}`);
};

const { recorded } = auditOf(api);

describe('audit records of sessions and tokens', () => {
  it('say who revoked a session, and who signed a user out', async () => {
    const [one, two] = [await login(), await login()];
    await post('/api/v1/auth/revoke', two).type('form').send({ token: one }).expect(200);
    expect(await recorded({ action: 'token.revoked' })).toMatchObject([
      {
        outcome: 'allowed',
        actor: { id: ann.email },
        details: { kind: 'session', session: decodeJwt(one)['sid'], user: ann.email },
      },
    ]);
    await post(`/api/v1/auth/users/${ann.email}/sign-out`, api.session('operator')).expect(
      ({ status }) => status < 300,
    );
    expect(await recorded({ action: 'auth.signed_out' })).toMatchObject([
      { outcome: 'allowed', actor: { type: 'operator', id: people.operator }, details: { user: ann.email } },
    ]);
  });

  it('are written for refused access tokens, without the token that was sent', async () => {
    const form = {
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
      subject_token: 'not.a.token',
      service_account: 'ci@shop',
    };
    await post('/api/v1/auth/token')
      .send(form)
      .expect(({ status }) => status >= 400);
    const refused = await recorded({ action: 'token.refused' });
    expect(refused).toMatchObject([
      { outcome: expect.stringMatching(/denied|failed/), details: { kind: 'access' } },
    ]);
    expect(JSON.stringify(refused)).not.toContain('not.a.token');
  });
});

describe('audit records of roles', () => {
  const path = '/api/v1/resources/platform.dev/v1alpha1';
  const apiVersion = 'platform.dev/v1alpha1';
  const write = (method: 'post' | 'delete', plural: string, body: object = {}) =>
    api.as('operator', method, `${path}/${plural}`).send(body);

  it('say who granted what and took it back, and are found by their time', async () => {
    const metadata = { name: 'readers' };
    const rules = [{ apiGroups: ['*'], resources: ['organizations'], verbs: ['get'] }];
    await write('post', 'roles', { apiVersion, kind: 'Role', metadata, spec: { rules } }).expect(201);
    const subjects = [{ kind: 'User', name: 'new@example.dev' }];
    const spec = { roleRef: metadata, subjects };
    await write('post', 'rolebindings', { apiVersion, kind: 'RoleBinding', metadata, spec }).expect(201);
    await write('delete', 'rolebindings/readers').expect(200);
    await write('delete', 'roles/readers').expect(200);
    const all = await recorded({ actor: people.operator, limit: 4 });
    expect(all.map(({ action, resource }) => [action, (resource as { kind: string }).kind])).toEqual([
      ['resource.deleted', 'Role'],
      ['resource.deleted', 'RoleBinding'],
      ['resource.created', 'RoleBinding'],
      ['resource.created', 'Role'],
    ]);
    const [, deleted = '', created = ''] = all.map(({ time }) => String(time));
    const ids = (records: readonly Record<string, unknown>[]) => records.map(({ id }) => id);
    const between = await recorded({ actor: people.operator, since: created, until: deleted });
    expect(ids(between)).toEqual(
      ids(all.filter(({ time }) => String(time) >= created && String(time) < deleted)),
    );
    expect(ids(between)).toContain(all[2]?.['id']);
  });
});
