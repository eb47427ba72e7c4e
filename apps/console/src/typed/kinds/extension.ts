import { write } from '../../api/change.ts';
import { type Body, type Field, valueAt, withValue } from '../fields.ts';
import { nameField, type Schemas, type TypedKind } from '../kind.ts';

export type Extension = Schemas['Extension'];

const secretPath = '/spec/client_secret_encrypted';
const spec = (name: string) => `/spec/${name}`;

const provider: readonly Field[] = [
  { path: spec('provider_name'), label: 'Provider', type: 'text', required: true, example: 'Google' },
  { path: spec('description'), label: 'Description', type: 'text' },
  {
    path: spec('issuer_url'),
    label: 'Issuer of the provider',
    type: 'text',
    mono: true,
    required: true,
    example: 'https://accounts.google.com',
  },
  { path: spec('client_id'), label: 'Client id at the provider', type: 'text', mono: true, required: true },
];

const details: readonly Field[] = [
  {
    path: spec('scopes'),
    label: 'Scopes',
    type: 'lines',
    example: 'openid',
    hint: 'One a line. If it is empty and the provider has discovery, the proxy requests openid email profile.',
  },
  {
    path: spec('redirect_uris'),
    label: 'Redirect URIs of the app',
    type: 'lines',
    example: 'https://shop.example.com/callback',
    hint: 'One a line, compared as text. If it is empty, every path at the project’s addresses is allowed.',
  },
  {
    path: spec('allow_localhost'),
    label: 'Redirects to localhost',
    type: 'choice',
    options: [
      { value: undefined, label: 'Allowed, for development' },
      { value: false, label: 'Refused' },
    ],
  },
  {
    path: spec('client_type'),
    label: 'Client secret of the app',
    type: 'choice',
    options: [
      { value: undefined, label: 'Or a code challenge (PKCE)' },
      { value: 'confidential', label: 'Always required (confidential)' },
    ],
  },
  {
    path: spec('authorization_endpoint'),
    label: 'Authorization endpoint',
    type: 'text',
    mono: true,
    hint: 'Only for a provider without discovery.',
  },
  {
    path: spec('token_endpoint'),
    label: 'Token endpoint',
    type: 'text',
    mono: true,
    hint: 'Only for a provider without discovery.',
  },
];

const secret: Field = {
  path: secretPath,
  label: 'Client secret at the provider',
  type: 'secret',
  required: true,
  hint: 'The platform seals it for this project and never shows it again.',
};
const { required: _required, ...optional } = secret;
const newSecret: Field = {
  ...optional,
  hint: 'Enter it again when you change the issuer, an endpoint or the client id. If it is empty, the stored one stays.',
};

export const extensionKind: TypedKind<Extension, Schemas['ExtensionWrite']> = {
  noun: 'an extension',
  fields: [nameField, ...provider, secret, ...details],
  editFields: [...provider, newSecret, ...details],
  initial: { name: '', type: 'oauth', spec: {} },
  bodyOf: ({ name, type, spec: stored }) => ({ name, type, spec: stored }),
  async prepare(body: Body, project: string) {
    const plaintext = valueAt(body, secretPath);
    if (plaintext === undefined) return body;
    const { encrypted } = await write<{ encrypted: string }>('/api/v1/encrypt', {
      method: 'POST',
      body: { plaintext, project },
    });
    return withValue(body, secretPath, encrypted);
  },
};
