import type { Example } from '../endpoint/documentation.ts';
import { accessExamples } from './access-examples.ts';

/**
 * The request bodies that the document shows for the built-in kinds; those of other endpoints are in their declarations. A test sends every
 * one of them to a running service; `<...>` stands for a value that only a run can have, and the test fills it in.
 */
const story: Readonly<Record<string, Readonly<Record<string, Example>>>> = {
  create_platform_dev_v1alpha1_organizations: {
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
  replace_platform_dev_v1alpha1_organizations: {
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
  create_platform_dev_v1alpha1_resourcedefinitions: {
    root: {
      summary: 'A root-scoped kind with a schema',
      value: definition('tractors', 'Tractor', {
        schema: { type: 'object', properties: { wheels: { type: 'integer', minimum: 3 } } },
        more: { allowedStatusControllerIds: ['controller.example.com'] },
      }),
    },
    parent: { summary: 'A kind with child kinds', value: definition('farms', 'Farm', {}) },
    child: {
      summary: 'A kind with a parent',
      value: definition('barns', 'Barn', {
        more: { parent: { apiVersion: 'farm.example.dev/v1', kind: 'Farm' } },
      }),
    },
    grandchild: {
      summary: 'A kind two levels deep',
      value: definition('stalls', 'Stall', {
        more: { parent: { apiVersion: 'farm.example.dev/v1', kind: 'Barn' } },
      }),
    },
    great_grandchild: {
      summary: 'A kind three levels deep',
      value: definition('boxes', 'Box', {
        more: { parent: { apiVersion: 'farm.example.dev/v1', kind: 'Stall' } },
      }),
    },
  },
  replace_platform_dev_v1alpha1_resourcedefinitions: {
    version: {
      summary: 'One more version',
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
  ...accessExamples,
};

/** The examples of an operation of a built-in kind; none for kinds that are registered at run time. */
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
