import type { Example } from '../endpoint/documentation.ts';

/**
 * The request bodies that the document shows. They tell one story, in this order, and a test sends every one of them to a running
 * service; `<...>` stands for a value that only a run can have, and the test fills it in.
 */
const story: Readonly<Record<string, Readonly<Record<string, Example>>>> = {
  'create_platform.dev_v1alpha1_organizations': {
    organization: {
      summary: 'An organization',
      value: {
        apiVersion: 'platform.dev/v1alpha1',
        kind: 'Organization',
        metadata: { name: 'acme', annotations: { 'orchestrator.platform.dev/namespace-prefix': 'acme-' } },
        spec: { displayName: 'Acme', description: 'Makes everything' },
      },
    },
  },
  'replace_platform.dev_v1alpha1_organizations': {
    organization: {
      summary: 'Another display name',
      value: {
        apiVersion: 'platform.dev/v1alpha1',
        kind: 'Organization',
        metadata: { name: 'acme', revision: 1 },
        spec: { displayName: 'Acme Corporation' },
      },
    },
  },
  'create_platform.dev_v1alpha1_resourcedefinitions': {
    root: {
      summary: 'A kind below nothing, with a schema',
      value: definition('tractors', 'Tractor', {
        schema: { type: 'object', properties: { wheels: { type: 'integer', minimum: 3 } } },
        more: { allowedStatusControllerIds: ['controller.example.com'] },
      }),
    },
    parent: { summary: 'A kind that others are below', value: definition('farms', 'Farm', {}) },
    child: {
      summary: 'A kind below another',
      value: definition('barns', 'Barn', {
        more: { parent: { apiVersion: 'farm.example.dev/v1', kind: 'Farm' } },
      }),
    },
    grandchild: {
      summary: 'A kind below one that is itself below another',
      value: definition('stalls', 'Stall', {
        more: { parent: { apiVersion: 'farm.example.dev/v1', kind: 'Barn' } },
      }),
    },
    great_grandchild: {
      summary: 'And one more',
      value: definition('boxes', 'Box', {
        more: { parent: { apiVersion: 'farm.example.dev/v1', kind: 'Stall' } },
      }),
    },
  },
  'replace_platform.dev_v1alpha1_resourcedefinitions': {
    version: {
      summary: 'A version more',
      value: {
        ...definition('barns', 'Barn', {
          more: {
            parent: { apiVersion: 'farm.example.dev/v1', kind: 'Farm' },
            versions: [
              { name: 'v1', served: true, storage: true },
              { name: 'v2', served: true, storage: false },
            ],
          },
        }),
        metadata: { name: 'barns.farm.example.dev', revision: 1 },
      },
    },
  },
  createResource: {
    resource: { summary: 'A resource of a kind below nothing', value: resource('Tractor') },
  },
  createResource1: {
    resource: { summary: 'A resource below another', value: resource('Barn') },
  },
  createResource2: {
    resource: { summary: 'A resource two levels below', value: resource('Stall') },
  },
  createResource3: {
    resource: { summary: 'A resource three levels below', value: resource('Box') },
  },
  replaceResource1: { resource: { summary: 'Another spec', value: replaced('Tractor') } },
  replaceResource2: { resource: { summary: 'Another spec', value: replaced('Barn') } },
  replaceResource3: { resource: { summary: 'Another spec', value: replaced('Stall') } },
  replaceResourceByUid: { resource: { summary: 'Another spec', value: replaced('Tractor') } },
  status: { status: { summary: 'Any JSON', value: { status: { phase: 'Ready', observedGeneration: 1 } } } },
  finalizers: {
    change: {
      summary: 'One comes, one goes',
      value: { add: ['controller.example.com/backup'], remove: ['controller.example.com/setup'] },
    },
  },
  createTeam: {
    team: {
      summary: 'A team of two',
      value: {
        name: 'makers',
        members: [
          { email: 'ann@example.dev', role: 'owner' },
          { email: 'bob@example.dev', role: 'member' },
        ],
      },
    },
  },
  replaceTeam: {
    team: { summary: 'A team of one', value: { members: [{ email: 'ann@example.dev', role: 'owner' }] } },
  },
  createProject: {
    project: {
      summary: 'A private project of a team',
      value: {
        name: 'shop',
        access_class: 'private',
        url: 'https://shop.example.dev',
        custom_domains: ['https://www.shop.example'],
        owner: { team: 'makers' },
        members: ['carol@example.dev'],
      },
    },
  },
  replaceProject: {
    project: { summary: 'Open to everyone with a session', value: { access_class: 'public' } },
  },
  createEnvironment: { environment: { summary: 'A second environment', value: { name: 'staging' } } },
  replaceEnvironment: { environment: { summary: 'Nothing but its name', value: { name: 'staging' } } },
  createServiceAccount: { account: { summary: 'A pipeline of GitHub Actions', value: account('main') } },
  replaceServiceAccount: { account: { summary: 'Another branch', value: account('release') } },
  createDeployment: { deployment: { summary: 'A deployment', value: { environment: 'staging' } } },
  rotateCredential: { overlap: { summary: 'A day for the roll-out', value: { overlap_seconds: 86_400 } } },
  replaceDeployment: { deployment: { summary: 'Nothing can change', value: { environment: 'staging' } } },
  createExtension: {
    oidc: { summary: 'A provider with discovery', value: extension('sign-in', {}) },
    oauth: {
      summary: 'A provider without discovery',
      value: extension('github', {
        provider_name: 'GitHub',
        issuer_url: 'https://github.com',
        authorization_endpoint: 'https://github.com/login/oauth/authorize',
        token_endpoint: 'https://github.com/login/oauth/access_token',
        scopes: ['read:user'],
      }),
    },
  },
  replaceExtension: {
    description: {
      summary: 'Another description; the stored secret is kept',
      value: {
        name: 'sign-in',
        type: 'oauth',
        spec: {
          provider_name: 'Example',
          description: 'Where customers sign in',
          client_id: 'shop',
          issuer_url: 'https://accounts.example.dev',
        },
      },
    },
  },
  encrypt: { secret: { summary: 'A client secret', value: { plaintext: 'the secret of the provider' } } },
  mintWorkloadToken: {
    audience: {
      summary: 'For a queue',
      value: { audience: 'https://queue.example.dev', ttl_seconds: 600 },
    },
  },
  exchangeToken: {
    controller: { summary: 'A controller', value: tokenExchange({}) },
    service_account: {
      summary: 'A service account',
      value: tokenExchange({ identity: 'shop+ci@sa.platform.local' }),
    },
  },
  exchangeCode: {
    code: {
      summary: 'The code of a native login',
      value: {
        grant_type: 'authorization_code',
        code: '<code>',
        code_verifier: '<code_verifier>',
        redirect_uri: 'http://127.0.0.1:49152/callback',
        client_id: 'platform-cli',
      },
    },
  },
  proxyToken: {
    public_client: {
      summary: 'The code of a public client, with PKCE',
      value: {
        grant_type: 'authorization_code',
        code: '<code>',
        client_id: 'shop-sign-in',
        code_verifier: '<code_verifier>',
      },
    },
    confidential_client: {
      summary: 'The code of a confidential client',
      value: {
        grant_type: 'authorization_code',
        code: '<code>',
        client_id: 'shop-sign-in',
        client_secret: '<client_secret>',
      },
    },
    refresh: {
      summary: 'A refresh',
      value: {
        grant_type: 'refresh_token',
        refresh_token: '<refresh_token>',
        client_id: 'shop-sign-in',
        client_secret: '<client_secret>',
      },
    },
  },
  proxyRevoke: {
    refresh_token: {
      summary: 'A refresh token',
      value: { token: '<refresh_token>', client_id: 'shop-sign-in', client_secret: '<client_secret>' },
    },
  },
};

/** The examples of an endpoint; none for the kinds that are registered at run time. */
export function examplesOf(id: string): Readonly<Record<string, Example>> {
  return story[id] ?? {};
}

function definition(
  plural: string,
  kind: string,
  { schema, more = {} }: { readonly schema?: object; readonly more?: object },
): object {
  return {
    apiVersion: 'platform.dev/v1alpha1',
    kind: 'ResourceDefinition',
    metadata: { name: `${plural}.farm.example.dev` },
    spec: {
      group: 'farm.example.dev',
      kind,
      plural,
      versions: [{ name: 'v1', served: true, storage: true, ...(schema === undefined ? {} : { schema }) }],
      ...more,
    },
  };
}

function resource(kind: string): object {
  return {
    apiVersion: 'farm.example.dev/v1',
    kind,
    metadata: { name: 'red', annotations: { 'example.dev/owner': 'ann' } },
    spec: { wheels: 4 },
  };
}

function replaced(kind: string): object {
  return {
    apiVersion: 'farm.example.dev/v1',
    kind,
    metadata: { name: 'red', revision: 1 },
    spec: { wheels: 6 },
  };
}

function account(branch: string): object {
  return {
    name: 'ci',
    issuer_url: 'https://token.actions.githubusercontent.com',
    claims: { aud: 'platform', sub: `repo:acme/shop:ref:refs/heads/${branch}` },
  };
}

function extension(name: string, more: object): object {
  return {
    name,
    type: 'oauth',
    spec: {
      provider_name: 'Example',
      client_id: 'shop',
      client_secret_encrypted: '<encrypted>',
      issuer_url: 'https://accounts.example.dev',
      scopes: ['openid', 'email'],
      ...more,
    },
  };
}

function tokenExchange(more: object): object {
  return {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token: '<subject_token>',
    subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
    ...more,
  };
}
