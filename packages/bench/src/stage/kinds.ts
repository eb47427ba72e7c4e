import type { Api } from './api.ts';

export const group = 'bench.example.dev';
export const apiVersion = `${group}/v1`;

/** A kind of the benchmark. */
export interface Kind {
  readonly kind: string;
  readonly plural: string;
}

/** `Level0` is root-scoped, `Level1` lies below it, and so on to `Level8`. All have a schema. */
export const levels: readonly Kind[] = Array.from({ length: 9 }, (_, depth) => ({
  kind: `Level${depth}`,
  plural: `level${depth}s`,
}));

/** Below `Level0`, without a schema. */
export const note: Kind = { kind: 'Note', plural: 'notes' };

const schema = {
  type: 'object',
  required: ['size', 'text'],
  additionalProperties: false,
  properties: {
    size: { type: 'integer', minimum: 1 },
    text: { type: 'string', maxLength: 4_096 },
    ports: { type: 'array', maxItems: 16, items: { type: 'integer', minimum: 1, maximum: 65_535 } },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
  },
};

/** A spec that fits the schema and makes a document of about 1 KB. */
export const spec = JSON.stringify({
  size: 3,
  ports: [80, 443, 8080],
  labels: { app: 'bench', tier: 'web' },
  text: 'An ordinary description. '.repeat(20),
});

/** Registers the kinds through the API, as anyone would. */
export async function registerKinds(api: Api): Promise<void> {
  for (const [depth, kind] of levels.entries()) await register(api, kind, levels[depth - 1], schema);
  await register(api, note, levels[0], undefined);
}

async function register(
  api: Api,
  { kind, plural }: Kind,
  parent: Kind | undefined,
  ofSpec: object | undefined,
): Promise<void> {
  const version = { name: 'v1', served: true, storage: true, ...(ofSpec && { schema: ofSpec }) };
  await api.post('/api/v1/resources/platform.dev/v1alpha1/resourcedefinitions', {
    apiVersion: 'platform.dev/v1alpha1',
    kind: 'ResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      kind,
      plural,
      versions: [version],
      allowedStatusControllerIds: [],
      ...(parent && { parent: { apiVersion, kind: parent.kind } }),
    },
  });
}

/** The path of an item or a collection of a kind: the names of ancestors, then its own. */
export function pathOf({ plural }: Kind, ...names: readonly string[]): string {
  return ['/api/v1/resources', apiVersion, plural, ...names].join('/');
}
