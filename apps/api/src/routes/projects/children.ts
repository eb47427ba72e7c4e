import type { ProblemCode } from '@platform/kernel';
import {
  type ChildCollection,
  createChild,
  deleteChild,
  getChild,
  listChildren,
  type ProjectChild,
  type ProjectPorts,
  readReplacement,
  replaceChild,
} from '@platform/projects';
import { json } from '../../endpoint/answer.ts';
import { jsonBody } from '../../endpoint/body.ts';
import { type Endpoint, endpoint } from '../../endpoint/descriptor.ts';
import { type Examples, ref } from '../../endpoint/documentation.ts';
import { nameParams } from '../../endpoint/path-parameters.ts';
import { noStore } from '../../endpoint/refusals.ts';
import { etagDocs, ifMatch, ifNoneMatch, notModified, pageQuery } from '../../endpoint/shared-docs.ts';
import {
  changeProblems,
  createdAnswer,
  createdDocs,
  createProblems,
  itemAnswer,
  namedProblems,
  readPage,
  replaceProblems,
  sent,
  sentNew,
  type TypedDeps,
  typedEndpoint,
} from './item.ts';

/** The documentation of the five endpoints of a kind below projects. */
export interface ChildDocs<R extends ProjectChild, Body> {
  /** The name of its schema; `<name>Write` and `<name>Replace` are those of the bodies of POST and PUT. */
  readonly name: string;
  /** With its article. */
  readonly noun: string;
  /** The path parameter of its name. */
  readonly parameter: string;
  readonly plural: string;
  readonly collection: (ports: ProjectPorts) => ChildCollection<R, Body>;
  readonly examples: { readonly create: Examples; readonly replace: Examples };
  /** Further problems of DELETE. */
  readonly deleteProblems?: readonly ProblemCode[];
}

/** `/api/v1/projects/{project}/<plural>` and the items below: the same five verbs for every kind. */
export function childEndpoints<R extends ProjectChild, Body>(
  kind: ChildDocs<R, Body>,
): readonly Endpoint<TypedDeps>[] {
  const { name, noun, parameter, collection: of, examples } = kind;
  const path = `/api/v1/projects/{project}/${kind.plural}`;
  const shared = { ...typedEndpoint, tag: 'Below projects' } as const;
  const collection = { ...shared, path, params: nameParams('project') };
  const item = { ...shared, path: `${path}/{${parameter}}`, params: nameParams('project', parameter) };
  const bare = noun.replace(/^an? /, '');
  const schema = ref(name);
  return [
    endpoint({
      ...collection,
      method: 'POST',
      id: `create${name}`,
      summary: `Create ${noun}`,
      requestHeaders: [ifMatch],
      body: jsonBody(ref(`${name}Write`), examples.create),
      responses: { 201: { description: 'Created.', schema, headers: createdDocs } },
      problems: createProblems,
      async handle({ ports }: TypedDeps, { principal, params: { project }, body: read }, call) {
        const collection = of(ports);
        const { origin } = call;
        const body = await sentNew(call, read, (value) => collection.kind.read(value, ports));
        const created = await createChild(ports, collection, { principal, origin, project, body });
        // The response may contain a secret that no other response shows.
        return createdAnswer(call, created, noStore);
      },
    }),
    endpoint({
      ...collection,
      method: 'GET',
      id: `list${name}s`,
      summary: `List ${bare}s`,
      documentedQuery: pageQuery,
      responses: { 200: { description: 'A page, ordered by name.', schema: ref(`${name}List`) } },
      problems: [...namedProblems, 'invalid_query'],
      handle: async ({ ports }: TypedDeps, { principal, params: { project } }, call) =>
        json(200, await listChildren(ports, of(ports), { principal, project, page: readPage(call) })),
    }),
    endpoint({
      ...item,
      method: 'GET',
      id: `get${name}`,
      summary: `Read ${noun}`,
      responses: { 200: { description: `The ${bare}.`, schema, headers: etagDocs }, 304: notModified },
      problems: namedProblems,
      handle: async ({ ports }: TypedDeps, { principal, params }) =>
        itemAnswer(200, await getChild(ports, of(ports), { principal, ...named(params) })),
    }),
    endpoint({
      ...item,
      method: 'PUT',
      id: `replace${name}`,
      summary: `Replace ${noun}`,
      requestHeaders: [ifMatch, ifNoneMatch],
      body: jsonBody(ref(`${name}Replace`), examples.replace),
      responses: { 200: { description: 'As it is stored now.', schema, headers: etagDocs } },
      problems: replaceProblems,
      async handle({ ports }: TypedDeps, { principal, params, body: read }, call) {
        const collection = of(ports);
        const { project, name } = named(params);
        const body = await sent(read, (value) => readReplacement(collection.kind, value, name, ports));
        const { origin, precondition } = call;
        const request = { principal, origin, project, name, precondition, body };
        return itemAnswer(200, await replaceChild(ports, collection, request));
      },
    }),
    endpoint({
      ...item,
      method: 'DELETE',
      id: `delete${name}`,
      summary: `Delete ${noun}`,
      requestHeaders: [ifMatch, ifNoneMatch],
      responses: { 200: { description: 'Deleted.', schema: ref('Deleted') } },
      problems: [...changeProblems, ...(kind.deleteProblems ?? [])],
      async handle({ ports }: TypedDeps, { principal, params }, call) {
        const { origin, precondition } = call;
        await deleteChild(ports, of(ports), { principal, origin, ...named(params), precondition });
        return json(200, { deleted: true });
      },
    }),
  ];

  function named(params: Readonly<Record<string, string>>): { project: string; name: string } {
    return { project: params['project'] as string, name: params[parameter] as string };
  }
}
