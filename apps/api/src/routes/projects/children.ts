import type { ProblemCode } from '@platform/kernel';
import {
  type ChildKind,
  type ChildRecords,
  createChild,
  deleteChild,
  getChild,
  listChildren,
  readReplacement,
  replaceChild,
} from '@platform/projects';
import { json } from '../../endpoint/answer.ts';
import { jsonBody } from '../../endpoint/body.ts';
import { type Endpoint, endpoint } from '../../endpoint/descriptor.ts';
import { type Examples, ref, type Schema } from '../../endpoint/documentation.ts';
import { type Additions, fromZod } from '../../endpoint/from-zod.ts';
import { noStore } from '../../endpoint/oauth-endpoint.ts';
import { nameParams } from '../../endpoint/path-parameters.ts';
import {
  object,
  pageOf,
  revision,
  text,
  timestamp,
  uuid,
  withExample,
} from '../../endpoint/schema-fields.ts';
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

/** A kind below projects, and the members that its endpoints take and show. */
export interface ChildDocs<Name extends keyof ChildRecords, Body> {
  readonly kind: ChildKind<Name, Body>;
  /** Members of a POST whose schema the kind leaves open, by JSON pointer. */
  readonly written?: Additions;
  /** Members of answers, besides those of every kind. */
  readonly shown: Readonly<Record<string, Schema>>;
  /** Members that only the answers to creation and rotation have. */
  readonly shownOnce?: Readonly<Record<string, Schema>>;
  /** Members that a PUT must have, with their schemas where answers show them otherwise. */
  readonly replaced?: Readonly<Record<string, Schema>>;
  readonly examples: {
    /** A name. */
    readonly name: string;
    readonly create: Examples;
    readonly replace: Examples;
  };
  /** Further problems of DELETE. */
  readonly deleteProblems?: readonly ProblemCode[];
  /** Further schemas, by name. */
  readonly schemas?: Readonly<Record<string, Schema>>;
}

/** A kind below projects in the API: its endpoints, and the schemas that they name. */
export interface ChildApi {
  readonly endpoints: readonly Endpoint<TypedDeps>[];
  readonly schemas: Readonly<Record<string, Schema>>;
}

/** `/api/v1/projects/{project}/<plural>` and the items below: the same five verbs for every kind. */
export function childApi<Name extends keyof ChildRecords, Body>(docs: ChildDocs<Name, Body>): ChildApi {
  return { endpoints: childEndpoints(docs), schemas: childSchemas(docs) };
}

/** `<Kind>`, `<Kind>List`, and the bodies `<Kind>Write` of POST and `<Kind>Replace` of PUT. */
function childSchemas<Name extends keyof ChildRecords, Body>({
  kind,
  written,
  shown,
  shownOnce = {},
  replaced = {},
  examples,
  schemas,
}: ChildDocs<Name, Body>): Readonly<Record<string, Schema>> {
  const members: Readonly<Record<string, Schema>> = {
    uid: uuid,
    name: withExample(text, examples.name),
    project: withExample(text, 'shop'),
    ...shown,
    revision,
    created_at: timestamp,
  };
  // A PUT may send back the members of answers, and needs nothing that the path or the kind says already.
  const sentBack = Object.keys(members).filter((name) => !Object.hasOwn(replaced, name));
  return {
    // The schema is the same at any time.
    [`${kind.kindName}Write`]: fromZod(kind.body({ now: () => 0 }), written),
    [`${kind.kindName}Replace`]: object(
      { ...members, ...replaced },
      { optional: sentBack, additionalProperties: false },
    ),
    ...schemas,
    [kind.kindName]: object({ ...members, ...shownOnce }, { optional: Object.keys(shownOnce) }),
    [`${kind.kindName}List`]: pageOf(kind.kindName),
  };
}

function childEndpoints<Name extends keyof ChildRecords, Body>({
  kind,
  examples,
  deleteProblems = [],
}: ChildDocs<Name, Body>): readonly Endpoint<TypedDeps>[] {
  const { kindName: name, noun: parameter } = kind;
  const path = `/api/v1/projects/{project}/${kind.plural}`;
  const shared = { ...typedEndpoint, tag: 'Below projects' } as const;
  const collection = { ...shared, path, params: nameParams('project') };
  const item = { ...shared, path: `${path}/{${parameter}}`, params: nameParams('project', parameter) };
  const bare = kind.noun.replaceAll('_', ' ');
  const noun = `${/^[aeiou]/.test(bare) ? 'an' : 'a'} ${bare}`;
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
        const { origin } = call;
        const body = await sentNew(call, read, (value) => kind.read(value, ports));
        const created = await createChild(ports, kind, { principal, origin, project, body });
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
        json(200, await listChildren(ports, kind, { principal, project, page: readPage(call) })),
    }),
    endpoint({
      ...item,
      method: 'GET',
      id: `get${name}`,
      summary: `Read ${noun}`,
      responses: { 200: { description: `The ${bare}.`, schema, headers: etagDocs }, 304: notModified },
      problems: namedProblems,
      handle: async ({ ports }: TypedDeps, { principal, params }) =>
        itemAnswer(200, await getChild(ports, kind, { principal, ...named(params) })),
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
        const { project, name } = named(params);
        const body = await sent(read, (value) => readReplacement(kind, value, name, ports));
        const { origin, precondition } = call;
        const request = { principal, origin, project, name, precondition, body };
        return itemAnswer(200, await replaceChild(ports, kind, request));
      },
    }),
    endpoint({
      ...item,
      method: 'DELETE',
      id: `delete${name}`,
      summary: `Delete ${noun}`,
      requestHeaders: [ifMatch, ifNoneMatch],
      responses: { 200: { description: 'Deleted.', schema: ref('Deleted') } },
      problems: [...changeProblems, ...deleteProblems],
      async handle({ ports }: TypedDeps, { principal, params }, call) {
        const { origin, precondition } = call;
        await deleteChild(ports, kind, { principal, origin, ...named(params), precondition });
        return json(200, { deleted: true });
      },
    }),
  ];

  function named(params: Readonly<Record<string, string>>): { project: string; name: string } {
    return { project: params['project'] as string, name: params[parameter] as string };
  }
}
