import {
  builtInCollections,
  keyToken,
  parseDocument,
  parseKey,
  platformApiVersion,
  platformGroup,
} from '@platform/resources';
import type { Answer } from '../../endpoint/answer.ts';
import { list, object, text } from '../../endpoint/schema-fields.ts';
import { pageQuery } from '../../endpoint/shared-docs.ts';
import type { ResourceCall } from './call.ts';

/** Everything that can be asked of a resource, in the words of role rules. */
const verbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'];

/** The collection whose rights and pages discovery has: whoever may list definitions may know the kinds. */
export const definitionsPath = {
  form: 'names',
  group: platformGroup,
  version: 'v1alpha1',
  plural: 'resourcedefinitions',
  names: [],
} as const;

const printerColumn = object(
  { name: text, type: text, jsonPath: text, priority: { type: 'integer' }, format: text, description: text },
  { optional: ['priority', 'format', 'description'] },
);

const kindList = object({
  items: list(
    object(
      {
        group: text,
        kind: text,
        plural: text,
        singular: text,
        shortNames: list(text),
        categories: list(text),
        description: text,
        parent: {
          type: ['object', 'null'],
          properties: { apiVersion: text, kind: text },
        },
        versions: list(
          object(
            {
              name: text,
              served: { type: 'boolean' },
              storage: { type: 'boolean' },
              path: text,
              additionalPrinterColumns: list(printerColumn),
            },
            { optional: ['additionalPrinterColumns'] },
          ),
        ),
        verbs: list(text),
      },
      { optional: ['singular', 'shortNames', 'categories', 'description'] },
    ),
  ),
  metadata: object({ continue: text }, { optional: ['continue'] }),
});

const exampleKind = {
  group: 'example.dev',
  kind: 'Widget',
  plural: 'widgets',
  parent: null,
  versions: [{ name: 'v1', served: true, storage: true, path: '/api/v1/resources/example.dev/v1/widgets' }],
  verbs,
};

/** `GET /api/v1/resources`: the kinds with their versions, for tools that know none. */
export const discovery = {
  path: '/api/v1/resources',
  id: 'listKinds',
  tag: 'Resources',
  kind: '',
  method: 'GET',
  summary: () => 'List the kinds with their versions and verbs',
  query: pageQuery,
  responses: () => ({
    200: {
      description:
        'The built-in kinds on the first page, then the registered ones by the name of their definitions.',
      schema: kindList,
      example: { items: [exampleKind], metadata: {} },
    },
  }),
  problems: ['invalid_query', 'malformed_path', 'forbidden'],
} as const;

/** The request for the page of definitions that a page of kinds is made from, by somebody who sees all of them. */
export function definitionsRequest(request: ResourceCall): ResourceCall {
  const query = new URLSearchParams(request.query());
  const token = parseKey(query.getAll('continue'), discovery.path, (key) => key !== '');
  if (token !== null) query.set('continue', token);
  return { ...request, caller: { type: 'operator', email: '' }, query: () => query };
}

/** Turns a page of definitions into one of kinds. */
export function kindsPage(definitions: Answer, request: ResourceCall): Answer {
  const { value } = parseDocument(String(definitions.body));
  const { items, metadata } = value as {
    readonly items: readonly { readonly spec: Definition }[];
    readonly metadata: { readonly continue?: string };
  };
  const builtIn = request.query().has('continue') ? [] : builtInCollections.map(builtInKind);
  const kinds = [...builtIn, ...items.map(({ spec }) => registeredKind(spec))];
  const { continue: token } = metadata;
  const next = token === undefined ? {} : { continue: keyToken(discovery.path, token) };
  return { status: 200, body: JSON.stringify({ items: kinds, metadata: next }) };
}

interface Definition {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly parent?: unknown;
  readonly versions: readonly {
    readonly name: string;
    readonly served: boolean;
    readonly storage: boolean;
    readonly additionalPrinterColumns?: readonly unknown[];
  }[];
  readonly [more: string]: unknown;
}

/** Members that a definition may have for people. */
const shown = ['singular', 'shortNames', 'categories', 'description'];

function registeredKind(spec: Definition): object {
  const { group, kind, plural, parent = null, versions } = spec;
  const more = Object.fromEntries(
    shown.flatMap((name) => (spec[name] === undefined ? [] : [[name, spec[name]]])),
  );
  return {
    group,
    kind,
    plural,
    ...more,
    parent,
    versions: versions.map((one) => versionOf(group, plural, one)),
    verbs,
  };
}

function builtInKind({
  group,
  kind,
  plural,
  ancestors,
  versions,
}: (typeof builtInCollections)[number]): object {
  const above = ancestors?.at(-1);
  return {
    group,
    kind,
    plural,
    parent: above === undefined ? null : { apiVersion: platformApiVersion, kind: above.kind },
    versions: versions.map((one) => versionOf(group, plural, one)),
    verbs,
  };
}

function versionOf(
  group: string,
  plural: string,
  { name, served, storage, additionalPrinterColumns }: Definition['versions'][number],
): object {
  const columns = additionalPrinterColumns === undefined ? {} : { additionalPrinterColumns };
  return { name, served, storage, path: `/api/v1/resources/${group}/${name}/${plural}`, ...columns };
}
