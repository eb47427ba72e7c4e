/** Values that the examples share. */
export const uid = '01a1fc66-ebc7-7abd-b820-e103976092a4';
export const other = '01a1fc66-f0a1-7c3e-9b57-5a0d2f6c8e11';
export const moment = '2026-01-01T12:00:00.000Z';
export const issuer = 'https://platform.example/oidc/shop/sign-in';
const child = { uid, project: 'shop', revision: 1, created_at: moment };
const organization = { organization: 'acme', organization_resource_uid: other };
const page = (item: object) => ({ items: [item], continue: 'bXktYXBw' });

const project = {
  uid,
  name: 'shop',
  ...organization,
  access_class: 'private',
  url: 'https://shop.example.dev',
  contested_addresses: [],
  custom_domains: ['https://www.shop.example'],
  owner: { team: 'makers' },
  members: ['carol@example.dev'],
  revision: 1,
  created_at: moment,
};
const members = [{ email: 'ann@example.dev', role: 'owner' }];
const team = { uid, name: 'makers', ...organization, members, revision: 1, created_at: moment };
const environment = { ...child, name: 'staging' };
const serviceAccount = {
  ...child,
  name: 'ci',
  email: 'shop+ci@sa.platform.local',
  issuer_url: 'https://token.actions.githubusercontent.com',
  claims: { aud: 'platform', sub: 'repo:acme/shop:ref:refs/heads/main' },
};
const domainChallenge = {
  host: 'www.shop.example',
  record: '_platform-challenge.www.shop.example',
  type: 'TXT',
  value: 'platform-challenge=3a7bd3e2360a3d29eea436fcfb7e44c735d117c42d1c1835420b6b9942dd4f1b',
};
const deployment = {
  ...child,
  name: 'h0r8dezl',
  environment: 'staging',
  expires_at: '2026-04-09T10:00:00.000Z',
  created_by: 'owner@example.dev',
  last_used_at: null,
  previous_credential_expires_at: null,
};
const extension = {
  ...child,
  name: 'sign-in',
  type: 'oauth',
  spec: { provider_name: 'Example', client_id: 'shop', issuer_url: 'https://accounts.example.dev' },
  status: { client_id: 'shop-sign-in', callback_url: `${issuer}/callback`, issuer },
};

/** Answers about projects, teams and what belongs to a project. */
export const projectExamples: Readonly<Record<string, unknown>> = {
  Project: project,
  ProjectList: page(project),
  Team: team,
  TeamList: page(team),
  Environment: environment,
  EnvironmentList: page(environment),
  ServiceAccount: serviceAccount,
  ServiceAccountList: page(serviceAccount),
  DomainChallengeList: { items: [domainChallenge] },
  DomainChallenge: domainChallenge,
  Deployment: deployment,
  DeploymentList: page(deployment),
  Extension: extension,
  ExtensionList: page(extension),
  LoginList: page({
    id: other,
    time: moment,
    outcome: 'failed',
    extension: 'sign-in',
    step: 'callback',
    grant: null,
    reason: 'access_denied',
    requestId: '5f0c8a52-6d2a-4d57-8a0e-3f1c9b7e2d10',
  }),
  Diagnosis: {
    healthy: false,
    checks: [
      {
        name: 'discovery',
        result: 'failed',
        detail: 'The provider did not answer.',
        remedy: 'Check issuer_url.',
      },
    ],
  },
};
