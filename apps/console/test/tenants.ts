import type { WholeApi } from '@platform/api/testing';

/** A team, and a project with something of each kind below it. Answers the names that the platform has chosen. */
export async function makeTenants(api: WholeApi): Promise<{ readonly deployment: string }> {
  const create = (path: string, body: object) =>
    api.as('admin', 'post', `/api/v1/${path}`).send(body).expect(201);
  await create('teams', { name: 'makers', members: [{ email: 'owner@example.dev', role: 'owner' }] });
  await create('projects', { name: 'shop', owner: { team: 'makers' }, members: ['bob@example.dev'] });
  const { body: deployment } = await create('projects/shop/deployments', { environment: 'production' });
  await create('projects/shop/service-accounts', {
    name: 'ci',
    issuer_url: 'https://token.actions.githubusercontent.com',
    claims: { aud: 'sts.example', sub: 'repo:acme/shop:ref:refs/heads/main' },
  });
  const sealed = await api
    .as('admin', 'post', '/api/v1/encrypt')
    .send({ plaintext: 'secret of the provider', project: 'shop' })
    .expect(200);
  await create('projects/shop/extensions', {
    name: 'sign-in',
    type: 'oauth',
    spec: {
      provider_name: 'Example',
      client_id: 'upstream',
      client_secret_encrypted: sealed.body.encrypted,
      issuer_url: 'https://idp.invalid',
    },
  });
  return { deployment: deployment.name };
}
