import { connect, type Socket } from 'node:net';
import type { PersonName } from './whole-api.ts';
import { WholeApi } from './whole-api.ts';

const api = new WholeApi();
const projects = '/api/v1/projects';
let sequence = 0;

/** A project of the owner, with one member; answers its path. */
async function project(fields: object = {}): Promise<string> {
  sequence += 1;
  const name = `held-${sequence}`;
  const sent = { name, owner: { user: 'owner@example.dev' }, members: ['member@example.dev'], ...fields };
  await api.as('admin', 'post', projects).send(sent).expect(201);
  return `${projects}/${name}`;
}

/** A request whose headers and first bytes have arrived, and whose rest is sent when the test says so. */
class HeldRequest {
  readonly #socket: Socket;
  readonly #rest: string;
  readonly #answer: Promise<string>;

  constructor(person: PersonName, method: string, path: string, body: object) {
    const text = JSON.stringify(body);
    const { hostname, port, host } = new URL(api.publicUrl);
    this.#rest = text.slice(5);
    this.#socket = connect(Number(port), hostname);
    this.#answer = new Promise((resolve, reject) => {
      let answer = '';
      this.#socket.on('data', (chunk) => {
        answer += String(chunk);
      });
      this.#socket.on('close', () => resolve(answer));
      this.#socket.on('error', reject);
    });
    this.#socket.write(
      [
        `${method} ${path} HTTP/1.1`,
        `Host: ${host}`,
        `Authorization: Bearer ${api.session(person)}`,
        'Content-Type: application/json',
        `Content-Length: ${text.length}`,
        'Connection: close',
        '',
        text.slice(0, 5),
      ].join('\r\n'),
    );
  }

  /** Sends the rest; answers the status. */
  async finish(): Promise<number> {
    this.#socket.write(this.#rest);
    return Number((await this.#answer).split(' ')[1]);
  }
}

/** Long enough for the server to have read the headers and done the checks that need only them. */
async function headersAreRead(): Promise<void> {
  for (let round = 0; round < 5; round += 1) await api.as('admin', 'get', `${projects}?limit=1`).expect(200);
}

describe('a body that is held back', () => {
  // Attack: a member keeps a PUT half sent; when they are removed, the rest of it makes them the owner.
  it('does not outlast the membership of who sends it', async () => {
    const path = await project();
    const held = new HeldRequest('member', 'PUT', path, { owner: { user: 'member@example.dev' } });
    await headersAreRead();
    await api.as('owner', 'put', path).send({ members: [] }).expect(200);
    expect(await held.finish()).toBe(403);
    expect((await api.as('owner', 'get', path).expect(200)).body.owner).toEqual({
      user: 'owner@example.dev',
    });
  });

  it.each([
    ['environments', 'POST', { name: 'late' }],
    ['deployments', 'POST', { environment: 'production' }],
    ['environments/production', 'PUT', { name: 'production' }],
  ])('does not outlast it for %s (%s)', async (below, method, body) => {
    const path = await project();
    const held = new HeldRequest('member', method, `${path}/${below}`, body);
    await headersAreRead();
    await api.as('owner', 'put', path).send({ members: [] }).expect(200);
    expect(await held.finish()).toBe(403);
  });

  it('does not outlast a place in the team, nor one in the team that owns the project', async () => {
    const team = `/api/v1/teams/crew`;
    const [owner, member] = ['owner', 'member'].map((name) => ({
      email: `${name}@example.dev`,
      role: 'owner',
    }));
    const members = [owner, member];
    await api.as('admin', 'post', '/api/v1/teams').send({ name: 'crew', members }).expect(201);
    const path = await project({ owner: { team: 'crew' }, members: [] });
    const held = [
      new HeldRequest('member', 'PUT', team, { members: [member] }),
      new HeldRequest('member', 'PUT', path, { owner: { user: 'member@example.dev' } }),
    ];
    await headersAreRead();
    await api
      .as('owner', 'put', team)
      .send({ members: [owner] })
      .expect(200);
    expect(await Promise.all(held.map((request) => request.finish()))).toEqual([403, 403]);
  });

  // Attack: a PUT that was read before a rotation brings the rotated secret back.
  it('does not undo the rotation of a client secret', async () => {
    const path = await project();
    const { body: sealed } = await api
      .as('owner', 'post', '/api/v1/encrypt')
      .send({ plaintext: 's' })
      .expect(200);
    const spec = {
      provider_name: 'Example',
      client_id: 'up',
      issuer_url: 'https://idp.example',
      scopes: ['openid'],
    };
    const sent = { name: 'login', type: 'oauth', spec };
    const secret = { client_secret_encrypted: sealed.encrypted };
    const extension = `${path}/extensions/login`;
    await api
      .as('owner', 'post', `${path}/extensions`)
      .send({ ...sent, spec: { ...spec, ...secret } })
      .expect(201);
    const held = new HeldRequest('owner', 'PUT', extension, sent);
    await headersAreRead();
    await api.as('owner', 'post', `${extension}/rotate-secret`).expect(200);
    const rotated = await api.as('owner', 'post', `${extension}/rotate-secret`).expect(200);
    expect(await held.finish()).toBe(200);
    const { body } = await api.as('owner', 'get', `${extension}/env`).expect(200);
    expect(body.LOGIN_CLIENT_SECRET).toBe(rotated.body.client_secret);
  });
});

describe('revisions of typed resources', () => {
  it('are in bodies and ETags of every kind, count changes, and are kept by a write that changes nothing', async () => {
    const path = await project();
    const account = { name: 'ci', issuer_url: 'https://ci.example', claims: { aud: 'platform', sub: 'a' } };
    await api.as('owner', 'post', `${path}/service-accounts`).send(account).expect(201);
    await api.as('admin', 'post', '/api/v1/teams').send({ name: 'counted' }).expect(201);
    const changes = [
      [path, { access_class: 'public' }],
      [`${path}/service-accounts/ci`, { ...account, claims: { aud: 'platform', sub: 'b' } }],
      ['/api/v1/teams/counted', { members: [{ email: 'a@example.dev', role: 'owner' }] }],
    ] as const;
    for (const [at, change] of changes) {
      const first = await api.as('admin', 'get', at).expect(200);
      expect(first.body.revision).toBe(1);
      expect(first.headers).toMatchObject({
        etag: `"${first.body.uid}.1"`,
        'cache-control': 'private, no-cache',
      });
      for (const attempt of ['changes', 'changes nothing']) {
        const { body, headers } = await api.as('admin', 'put', at).send(change).expect(200);
        expect([attempt, body.revision, headers['etag']]).toEqual([attempt, 2, `"${body.uid}.2"`]);
      }
      await api.as('admin', 'get', at).set('If-None-Match', `"${first.body.uid}.2"`).expect(304);
    }
    const { body: environment } = await api.as('owner', 'get', `${path}/environments/production`).expect(200);
    expect(environment.revision).toBe(1);
    const { body: listed } = await api.as('owner', 'get', `${path}/environments`).expect(200);
    expect(listed.items[0].revision).toBe(1);
  });

  it('refuse what If-Match does not name, and change nothing', async () => {
    const path = await project();
    const { headers } = await api.as('owner', 'get', path).expect(200);
    const stale = String(headers['etag']);
    const put = (ifMatch: string) =>
      api.as('owner', 'put', path).set('If-Match', ifMatch).send({ access_class: 'public' });
    for (const refused of ['"9"', `W/${stale}`, '"x"', '"00000000-0000-7000-8000-000000000000.1"']) {
      const { body } = await put(refused).expect(412);
      expect(body).toMatchObject({ code: 'precondition_failed', currentRevision: 1 });
    }
    await put('1').expect(400);
    await put(`"9", ${stale}`).expect(200);
    await put(stale).expect(412);
    for (const accepted of ['"2"', '*']) await put(accepted).expect(200);
    await api.as('owner', 'delete', path).set('If-Match', stale).expect(412);
    await api.as('owner', 'delete', `${path}/environments/production`).set('If-Match', '"2"').expect(412);
    await api.as('owner', 'delete', `${path}/environments/production`).set('If-Match', '"1"').expect(200);
    await api.as('owner', 'delete', path).set('If-Match', '"2"').expect(200);
  });

  it('are compared with If-Match before the body is compared with what is stored', async () => {
    const path = await project();
    const account = { name: 'ci', issuer_url: 'https://ci.example', claims: { aud: 'platform', sub: 'a' } };
    await api.as('owner', 'post', `${path}/service-accounts`).send(account).expect(201);
    await api.as('admin', 'post', '/api/v1/teams').send({ name: 'read' }).expect(201);
    for (const at of [path, `${path}/service-accounts/ci`, '/api/v1/teams/read']) {
      const { body } = await api.as('admin', 'get', at).expect(200);
      for (const sent of [
        { ...body, revision: 7 },
        { ...body, uid: 'x' },
      ]) {
        const refused = await api.as('admin', 'put', at).set('If-Match', '"7"').send(sent).expect(412);
        expect(refused.body.code).toBe('precondition_failed');
      }
    }
  });

  it('of a create are 412 for any version, since what is not there has none', async () => {
    const path = await project();
    const create = (at: string, body: object, header: string, who: 'admin' | 'stranger' = 'admin') =>
      api.as(who, 'post', at).set('If-Match', header).send(body);
    const creates = [
      [projects, { name: 'unmade' }],
      ['/api/v1/teams', { name: 'unmade' }],
      [`${path}/environments`, { name: 'unmade' }],
    ] as const;
    for (const [at, body] of creates) {
      const refused = await create(at, body, '"1"').expect(412);
      expect(refused.body.code).toBe('precondition_failed');
      await create(at, body, '"1"', 'stranger').expect(403);
      await create(at, body, '*').expect(201);
    }
  });

  // Attack: a client that has the old project by its name takes the new one of somebody else for it, and writes to it.
  it('are not those of another resource that had the name', async () => {
    const account = {
      name: 'again',
      issuer_url: 'https://ci.example',
      claims: { aud: 'platform', sub: 'a' },
    };
    const path = await project();
    const accounts = `${path}/service-accounts`;
    const team = { name: 'again' };
    const kinds = [
      ['/api/v1/teams/again', () => api.as('admin', 'post', '/api/v1/teams').send(team)],
      [`${accounts}/again`, () => api.as('admin', 'post', accounts).send(account)],
      [path, () => api.as('admin', 'post', `${projects}?reuse=true`).send({ name: path.split('/').at(-1) })],
    ] as const;
    for (const [at, create] of kinds) {
      if (at !== path) await create().expect(201);
      const { body: read, headers } = await api.as('admin', 'get', at).expect(200);
      const etag = String(headers['etag']);
      await api.as('admin', 'get', at).set('If-None-Match', etag).expect(304);
      await api.as('admin', 'delete', at).expect(200);
      await create().expect(201);
      for (const stale of [etag, '"1"'])
        await api.as('admin', 'get', at).set('If-None-Match', stale).expect(200);
      const conflict = await api.as('admin', 'put', at).send(read).expect(409);
      expect(conflict.body.code).toBe('revision_conflict');
      await api.as('admin', 'delete', at).set('If-Match', etag).expect(412);
    }
  });

  it('lose no update of two that are made at once', async () => {
    const path = await project();
    const { headers } = await api.as('owner', 'get', path).expect(200);
    const put = (member: string) =>
      api
        .as('owner', 'put', path)
        .set('If-Match', String(headers['etag']))
        .send({ members: [member] });
    const answers = await Promise.all(['a', 'b', 'c', 'd'].map((name) => put(`${name}@example.dev`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412]);
  });

  it('hide from strangers whether a precondition holds', async () => {
    const path = await project();
    await api.as('stranger', 'put', path).set('If-Match', '"9"').send({}).expect(403);
    await api.as('stranger', 'put', `${projects}/never-made`).set('If-Match', '"9"').send({}).expect(403);
  });

  it('faults of a body are told only to those who may send it', async () => {
    const path = await project();
    await api.as('stranger', 'put', path).send({ colour: 1 }).expect(403);
    await api.as('owner', 'put', path).send({ colour: 1 }).expect(400);
  });
});
