import type { CliFixture } from './cli-fixture.ts';

const schema = { type: 'object', required: ['title'], properties: { title: { type: 'string' } } };

function definition(kind: string, parent: string | null) {
  const plural = `${kind.toLowerCase()}s`;
  return {
    apiVersion: 'platform.dev/v1alpha1',
    kind: 'ResourceDefinition',
    metadata: { name: `${plural}.sites.example` },
    spec: {
      group: 'sites.example',
      kind,
      plural,
      parent: parent === null ? null : { apiVersion: 'sites.example/v1', kind: parent },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  };
}

/** Registers Site, Section below it and Page below that. */
export async function registerSites({ operator }: CliFixture): Promise<void> {
  const definitions = operator.resources({
    group: 'platform.dev',
    version: 'v1alpha1',
    plural: 'resourcedefinitions',
  });
  await definitions.create(definition('Site', null));
  await definitions.create(definition('Section', 'Site'));
  await definitions.create(definition('Page', 'Section'));
}

/** A site, a section or a page, by the number of its names. */
export async function given(
  { operator }: CliFixture,
  path: string,
  metadata: object = {},
  spec: object = {},
) {
  const names = path.split('/');
  const kind = ['Site', 'Section', 'Page'][names.length - 1] as string;
  return await operator
    .resources({ group: 'sites.example', version: 'v1', plural: `${kind.toLowerCase()}s` })
    .in(...names.slice(0, -1))
    .create({
      apiVersion: 'sites.example/v1',
      kind,
      metadata: { name: names.at(-1) as string, ...metadata },
      spec: { title: names.at(-1), ...spec },
    });
}
