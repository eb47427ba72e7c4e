import { givenProject, nameIn } from './given-project.ts';
import { WholeApi } from './whole-api.ts';

const api = new WholeApi();
const claims = { aud: 'platform', sub: 'repo:acme/shop' };
const issuer = (number: number) => `https://ci-${number}.example.com`;

/** A project whose accounts `bot-1` to `bot-<count>` have an issuer each; answers the path of its accounts. */
async function projectWithIssuers(count: number): Promise<string> {
  const path = await givenProject(api);
  const name = nameIn(path);
  await api.database.sql`
    insert into service_accounts (uid, project_uid, name, email, issuer_url, claims)
    select gen_random_uuid(), p.uid, 'bot-' || n, p.name || '+bot-' || n || '@sa.platform.local', 'https://ci-' || n || '.example.com', ${JSON.stringify(claims)}::json
    from projects p, generate_series(1, ${count}::int) n where p.name = ${name}`;
  return `${path}/service-accounts`;
}

// Attack: the accounts of one project name so many issuers that the keys of all other projects leave the cache.
describe('the issuers of a project', () => {
  const create = (path: string, name: string, number: number) =>
    api.as('owner', 'post', path).send({ name, issuer_url: issuer(number), claims });
  const change = (path: string, name: string, number: number) =>
    api.as('owner', 'put', `${path}/${name}`).send({ name, issuer_url: issuer(number), claims });

  it('are a hundred at most; another account may have one of them', async () => {
    const path = await projectWithIssuers(99);
    await create(path, 'last', 100).expect(201);
    const { body } = await create(path, 'beyond', 101).expect(400);
    expect(body.errors).toEqual([
      {
        path: '/issuer_url',
        message:
          'the service accounts of a project may have 100 different issuers, and the others have as many',
      },
    ]);
    await create(path, 'shared', 7).expect(201);
    await change(path, 'shared', 101).expect(400);
    await change(path, 'shared', 8).expect(200);
    // The only account of its issuer leaves a place.
    await change(path, 'last', 101).expect(200);
    await api.as('owner', 'delete', `${path}/last`).expect(200);
    await create(path, 'beyond', 102).expect(201);
  });

  it('are counted for each project', async () => {
    await projectWithIssuers(100);
    const other = await projectWithIssuers(0);
    await create(other, 'first', 101).expect(201);
  });

  it('keep what a project has already', async () => {
    const path = await projectWithIssuers(105);
    const narrower = { name: 'bot-105', issuer_url: issuer(105), claims: { ...claims, ref: 'main' } };
    await api.as('owner', 'put', `${path}/bot-105`).send(narrower).expect(200);
    await change(path, 'bot-105', 200).expect(400);
  });

  it('are a hundred for accounts that are made at the same moment', async () => {
    const path = await projectWithIssuers(98);
    const answers = await Promise.all(
      [201, 202, 203, 204, 205, 206].map((n) => create(path, `at-once-${n}`, n)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 400, 400, 400, 400]);
  });
});
