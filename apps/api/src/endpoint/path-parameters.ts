import { dnsLabelPattern } from '@platform/kernel';
import { dnsSubdomainPattern, versionNamePattern } from '@platform/resources';
import { z } from 'zod';
import type { Schema } from './documentation.ts';

const label: Schema = { type: 'string', maxLength: 63, pattern: dnsLabelPattern.source };
const name: Schema = { type: 'string', maxLength: 253, pattern: dnsSubdomainPattern.source };

/** Every parameter of a path, once: what it is, and a value that the examples use. */
const parameters: Readonly<
  Record<string, { readonly description: string; readonly schema: Schema; readonly example: string | number }>
> = {
  group: { description: 'The API group of the kind.', schema: name, example: 'farm.example.dev' },
  version: {
    description: 'A version of the kind that is served.',
    schema: { type: 'string', pattern: versionNamePattern.source },
    example: 'v1',
  },
  plural: { description: 'The collection of the kind.', schema: label, example: 'tractors' },
  name1: {
    description: 'The name of the resource, or of its root-most ancestor.',
    schema: name,
    example: 'red',
  },
  name2: { description: 'The name of the resource, or of an ancestor.', schema: name, example: 'red' },
  name3: { description: 'The name of the resource, or of an ancestor.', schema: name, example: 'red' },
  uuid: {
    description: 'The uid of the resource, in any case.',
    schema: { type: 'string', format: 'uuid' },
    example: '0190a5c2-5f0e-7cc3-98c4-dc0c0c07398f',
  },
  organization: { description: 'The name of the Organization.', schema: name, example: 'acme' },
  resourcedefinition: { description: '`<plural>.<group>`', schema: name, example: 'barns.farm.example.dev' },
  role: { description: 'The name of the Role.', schema: name, example: 'farm-reader' },
  rolebinding: { description: 'The name of the RoleBinding.', schema: name, example: 'farmers-read' },
  subscription: { description: 'The name of the Subscription.', schema: name, example: 'farm-hook' },
  project: { description: 'The name of the project.', schema: label, example: 'shop' },
  team: { description: 'The name of the team.', schema: label, example: 'makers' },
  environment: { description: 'The name of the environment.', schema: label, example: 'staging' },
  service_account: { description: 'The name of the service account.', schema: label, example: 'ci' },
  deployment: {
    description: 'The uid of the deployment.',
    schema: { type: 'string', format: 'uuid' },
    example: '0190a5c2-5f0e-7cc3-98c4-dc0c0c07398f',
  },
  extension: { description: 'The name of the extension.', schema: label, example: 'sign-in' },
  file: { description: 'The name of a file.', schema: { type: 'string' }, example: 'cli.tgz' },
  revision: {
    description: 'A revision of the resource.',
    schema: { type: 'integer', minimum: 1 },
    example: 1,
  },
  code: { description: 'A code of a refusal.', schema: { type: 'string' }, example: 'revision_conflict' },
  user: {
    description: 'The uid of the user, or their e-mail address.',
    schema: { type: 'string', maxLength: 320 },
    example: 'ann@example.dev',
  },
  asset: {
    description: 'A file of the viewer.',
    schema: { type: 'string' },
    example: 'swagger-ui.css',
  },
};

/** No typed resource can have this name, so a look-up of it finds nothing. */
const noName = '-';

/** A name as a client wrote it. Text that cannot be a name, and that the database might not even accept, becomes a name that is unknown. */
export function readName(text: unknown): string {
  return typeof text === 'string' && text.length <= 63 && dnsLabelPattern.test(text) ? text : noName;
}

/** The parameters of a path that are names of typed resources. */
export function nameParams<const N extends string>(
  ...names: readonly N[]
): z.ZodType<Readonly<Record<N, string>>> {
  const fields = names.map((key) => [key, z.unknown().transform(readName)] as const);
  return z.object(Object.fromEntries(fields)) as unknown as z.ZodType<Readonly<Record<N, string>>>;
}

/** The parameters of a path, in its order; names that the table does not know are those of a registered kind's ancestors. */
export function pathParameters(path: string): readonly object[] {
  return [...path.matchAll(/\{([^}]+)\}/g)].map(([, key = '']) => {
    const known = Object.hasOwn(parameters, key) ? parameters[key] : undefined;
    const { description, schema, example } = known ?? {
      description: `The name of the ${key}.`,
      schema: name,
    };
    return {
      name: key,
      in: 'path',
      required: true,
      description,
      schema,
      ...(example === undefined ? {} : { example }),
    };
  });
}
