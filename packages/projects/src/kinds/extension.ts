import { invalid } from '@platform/kernel';
import {
  callbackUrlOf,
  clientIdOf,
  createClientSecret,
  extensionSpecSchema,
  issuerOf,
  mustResendSecret,
  type OAuthExtensionSpec,
  readExtensionSpec,
  resealUpstreamSecret,
} from '@platform/oauth-proxy';
import { requireValid } from '@platform/resources';
import { z } from 'zod';
import { labelName } from '../model/fields.ts';
import { requireValidMembers } from '../rules/require-valid-members.ts';
import type { ChildKind, KindContext } from './kind.ts';

/** `spec` is validated by the rules of the OAuth proxy. */
const body = z.strictObject({
  name: labelName,
  type: z.literal('oauth', 'must be oauth'),
  spec: z.unknown(),
});

/** A body that was read; `encrypted` is the upstream secret as `POST /api/v1/encrypt` answers it. */
interface ExtensionFields {
  readonly name: string;
  readonly spec: OAuthExtensionSpec;
  readonly encrypted: string | undefined;
}

const secretPath = '/spec/client_secret_encrypted';
const sealedSecret = z.object({ client_secret_encrypted: z.string() });

/** OAuth extensions. The upstream secret is re-sealed for its extension; the app's own secret is shown once. */
export const extensionKind: ChildKind<'extensions', ExtensionFields> = {
  collection: 'extensions',
  plural: 'extensions',
  kindName: 'Extension',
  noun: 'extension',
  actions: { read: 'extensions.read', create: 'children.write' },
  body: () => body,
  read: (sent, context) => read(sent, context, { isNew: true }),
  async validateInProject({ spec }, context) {
    const { data } = sealedSecret.safeParse(spec);
    const identity = { uid: context.identifiers.uid(), projectUid: context.project.uid };
    if (data !== undefined) reseal(data.client_secret_encrypted, identity, context);
  },
  // Reading the body has required the secret.
  create({ name, spec, encrypted = '' }, context) {
    const identity = { uid: context.identifiers.uid(), projectUid: context.project.uid };
    const sealedUpstreamSecret = reseal(encrypted, identity, context);
    const { secret, stored } = createClientSecret(context, {
      projectUid: identity.projectUid,
      extensionUid: identity.uid,
    });
    return {
      draft: { ...identity, name, spec, sealedUpstreamSecret, clientSecrets: [stored] },
      shownOnce: { client_secret: secret },
    };
  },
  readBack: ['type', 'status'],
  replacement: {
    read: (sent, name, context) => read({ name, type: 'oauth', ...sent }, context, { isNew: false }),
    apply({ spec, encrypted }, stored, context) {
      if (encrypted !== undefined) return { spec, sealedUpstreamSecret: reseal(encrypted, stored, context) };
      if (mustResendSecret(stored.spec, spec)) {
        const message = 'must be sent again when issuer_url, an endpoint or client_id changes';
        throw invalid([{ path: secretPath, message }]);
      }
      return { spec };
    },
  },
  render({ uid, name, spec, revision, createdAt }, { project, publicUrl }) {
    const names = { project: project.name, extension: name };
    return {
      uid,
      name,
      type: 'oauth',
      project: project.name,
      spec,
      status: {
        client_id: clientIdOf(names),
        callback_url: callbackUrlOf(publicUrl, names),
        issuer: issuerOf(publicUrl, names),
      },
      revision,
      created_at: createdAt,
    };
  },
};

function read(
  sent: unknown,
  { specPolicy }: Pick<KindContext, 'specPolicy'>,
  { isNew }: { readonly isNew: boolean },
): ExtensionFields {
  const { name, spec } = requireValidMembers(body, sent, (members) => {
    if (members['spec'] === undefined) return [];
    const faults = (readExtensionSpec(members['spec'], specPolicy).faults ?? []).map(({ path, message }) => ({
      path: `/spec${path}`,
      message,
    }));
    return isNew && lacksSecret(members['spec'])
      ? [...faults, { path: secretPath, message: 'is required' }]
      : faults;
  });
  const { client_secret_encrypted: encrypted, ...written } = requireValid(
    extensionSpecSchema(specPolicy),
    spec,
    '/spec',
  );
  return { name, spec: written, encrypted };
}

function lacksSecret(spec: unknown): boolean {
  return typeof spec === 'object' && spec !== null && !Object.hasOwn(spec, 'client_secret_encrypted');
}

function reseal(
  encrypted: string,
  { uid: extensionUid, projectUid }: { uid: string; projectUid: string },
  context: KindContext,
): string {
  const of = { projectUid, extensionUid };
  const sealed = resealUpstreamSecret(context, encrypted, of, context.callerEmail);
  if (sealed === null)
    throw invalid([
      {
        path: secretPath,
        message:
          'is not a ciphertext of POST /api/v1/encrypt for this project, nor one of your own without a project from the last 24 hours',
      },
    ]);
  return sealed;
}
