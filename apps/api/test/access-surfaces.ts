import type { Expected, Use } from './access-reference.ts';
import type { Json, TestApi } from './api.ts';
import { group, resource, v1 } from './kinds.ts';
import type { Test } from './openapi/documented-request.ts';
import { Watching } from './watching.ts';

/** The paths of the resource API begin with it. */
export const below = '/api/v1/resources';

/** The plural and the kind of a farm, or of a field below one, by the names on the way to it. */
export const pluralOf = (names: readonly string[]) => (names.length === 1 ? 'farms' : 'fields');
export const kindOf = (names: readonly string[]) => (names.length === 1 ? 'Farm' : 'Field');
export const collectionOf = (names: readonly string[]) =>
  [`${v1}/${pluralOf(names)}`, ...names.slice(0, -1)].join('/');
const item = (verb: string, names: readonly string[], part = ''): Use => ({
  verb,
  resource: pluralOf(names) + part,
  names,
  isItem: true,
});
const collection = (verb: string, plural: string, names: readonly string[]): Use => ({
  verb,
  resource: plural,
  names,
  isItem: false,
});

const items = [
  ['hill'],
  ['dale'],
  ['nowhere'],
  ['hill', 'north'],
  ['hill', 'south'],
  ['dale', 'north'],
  ['nowhere', 'north'],
];
const places: readonly (readonly [string, readonly string[]])[] = [
  ['farms', []],
  ...['hill', 'dale', 'nowhere', '-'].map((name): [string, string[]] => ['fields', [name]]),
];

/** The uses that each surface below is asked for. */
export const uses: readonly Use[] = [
  ...['get', 'watch', 'update', 'patch', 'apply', 'delete'].flatMap((verb) =>
    items.map((names) => item(verb, names)),
  ),
  ...['list', 'watch'].flatMap((verb) => places.map(([plural, names]) => collection(verb, plural, names))),
  ...places
    .filter(([, [name]]) => name !== '-')
    .map(([plural, names]) => collection('create', plural, names)),
  ...['/status', '/history', '/deletion-blockers'].flatMap((part) =>
    ['hill/north', 'dale/north', 'nowhere/north'].map((path) =>
      item(part === '/status' ? 'update' : 'get', path.split('/'), part),
    ),
  ),
];

/** The path of a use in the resource API. */
export const pathOf = ({ resource: of, names }: Use): string => {
  const [plural, part] = of.split('/');
  return [`${below}/${v1}/${plural}`, ...names, ...(part === undefined ? [] : [part])].join('/');
};

/** A way to ask for uses. */
export interface Surface {
  readonly covers: (use: Use) => boolean;
  /** Whether its answers tell statuses and rows, except of writes; otherwise it counts only whether a use is let in. */
  readonly tellsRows?: true;
  /** Whether a list below a parent that does not exist is empty instead of 404. */
  readonly emptyBelowNothing?: true;
  readonly ask: (use: Use) => Promise<Expected>;
}

/** A request: method, body and its media type. */
type Sent = readonly [method: string, body?: unknown, type?: string];

const mergePatch = 'application/merge-patch+json';

/** Writes, which are sent as dry runs. */
const writes: Readonly<Record<string, (use: Use) => Sent>> = {
  update: ({ resource: of, names }) => [
    'PUT',
    of.endsWith('/status') ? { status: 1 } : resource(kindOf(names), names.at(-1) ?? ''),
  ],
  patch: () => ['PATCH', { metadata: { labels: { a: 'b' } } }, mergePatch],
  delete: () => ['DELETE'],
  create: ({ names }) => ['POST', resource(names.length === 0 ? 'Farm' : 'Field', 'fresh')],
};

/** Whether the use changes something. */
export const isWrite = ({ verb }: Use): boolean => verb in writes;

/** Whether something is let in, whatever else is wrong with it. */
export const allowed = (is: boolean): Expected => ({ status: is ? 200 : 403, shown: [] });

/** The rows of a list, as paths of names. */
export const shownIn = ({ items: listed }: Json): readonly string[] =>
  listed
    .map(({ metadata: { namespace, ancestors = [], name } }: Json) =>
      (namespace === undefined ? [...ancestors, name] : [namespace, name]).join('/'),
    )
    .sort();

/** Sends a request as the user. */
export function sendTo(api: TestApi, path: string, [method, body, type = 'application/json']: Sent): Test {
  const request = api.send(method, path, 'user');
  return body === undefined ? request : request.type(type).send(JSON.stringify(body));
}

/** The answer of a stream until its initial state is complete. */
async function streamed(api: TestApi, path: string, { isItem }: Use, waits: boolean): Promise<Expected> {
  const watching = await Watching.open(api.port, path, {}, 'user');
  const status = watching.response.statusCode as Expected['status'];
  if (status === 200 && waits) await watching.until(({ told }) => told.includes('BOOKMARK initial'));
  watching.response.destroy();
  const items =
    waits && !isItem && status === 200 ? watching.events.flatMap(({ object }) => object ?? []) : [];
  return { status, shown: shownIn({ items }) };
}

function kubernetesPath({ resource: plural, names, isItem }: Use): string {
  const parent = plural === 'farms' || names[0] === '-' ? [] : ['namespaces', names[0]];
  return ['/kubernetes/apis', v1, ...parent, plural, ...(isItem ? [names.at(-1)] : [])].join('/');
}

/** Every way in which a user can ask for a use. */
export function surfacesOf(api: TestApi): Readonly<Record<string, Surface>> {
  /** Sends the request of the use to a path, a write as a dry run. */
  async function asked(use: Use, path: string, dryRun: string): Promise<Expected> {
    const write = writes[use.verb]?.(use);
    if (write !== undefined)
      return allowed((await sendTo(api, `${path}?dryRun=${dryRun}`, write)).status !== 403);
    const { status, body } = await sendTo(api, path, ['GET']);
    return {
      status: status as Expected['status'],
      shown: use.verb === 'list' && status === 200 ? shownIn(body) : [],
    };
  }

  return {
    'the resource API': {
      tellsRows: true,
      covers: ({ verb }) => verb !== 'watch' && verb !== 'apply',
      ask: (use) => asked(use, pathOf(use), 'true'),
    },
    'a list with a selector': {
      tellsRows: true,
      covers: ({ verb }) => verb === 'list',
      ask: (use) => asked(use, `${pathOf(use)}?labelSelector=!x&view=metadata`, 'true'),
    },
    'a stream': {
      tellsRows: true,
      covers: ({ verb }) => verb === 'watch',
      ask: (use) => streamed(api, `${pathOf(use)}?watch=true`, use, true),
    },
    'a batch': {
      covers: isWrite,
      async ask(use) {
        const [method, body, type] = writes[use.verb]?.(use) ?? ['GET'];
        const more = {
          ...(body === undefined ? {} : { body }),
          ...(type === undefined ? {} : { headers: { 'Content-Type': type } }),
        };
        const operations = [{ method, path: pathOf(use), ...more }];
        return allowed(
          (await sendTo(api, '/api/v1/batch?dryRun=true', ['POST', { operations }])).status !== 403,
        );
      },
    },
    'a server-side apply': {
      covers: ({ verb }) => verb === 'apply',
      async ask({ names, ...use }) {
        const body = resource(kindOf(names), names.at(-1) ?? '');
        const path = `${pathOf({ ...use, names })}?dryRun=true&fieldManager=m`;
        const { status } = await sendTo(api, path, ['PATCH', body, 'application/apply-patch+yaml']);
        return allowed(status !== 403);
      },
    },
    'access/check': {
      covers: ({ verb }) => verb !== 'apply',
      async ask(use) {
        const checks = [{ verb: use.verb, path: pathOf(use) }];
        const { body } = await sendTo(api, '/api/v1/access/check', ['POST', { checks }]).expect(200);
        return allowed(body.results[0].allowed);
      },
    },
    'the Kubernetes API': {
      tellsRows: true,
      emptyBelowNothing: true,
      // An update needs a resourceVersion there, and a stream has no end of its initial state.
      covers: ({ verb, resource: of }) => !['update', 'watch', 'apply'].includes(verb) && !of.includes('/'),
      ask: (use) => asked(use, kubernetesPath(use), 'All'),
    },
    'a stream of Kubernetes': {
      covers: ({ verb, isItem }) => verb === 'watch' && !isItem,
      ask: async (use) =>
        allowed((await streamed(api, `${kubernetesPath(use)}?watch=true`, use, false)).status !== 403),
    },
    'an access review of Kubernetes': {
      covers: ({ verb }) => verb !== 'apply',
      async ask({ verb, resource: of, names, isItem }) {
        const [plural, subresource = ''] = of.split('/');
        const namespace = plural === 'farms' || names[0] === '-' ? {} : { namespace: names[0] };
        const name = isItem ? { name: names.at(-1) } : {};
        const spec = {
          resourceAttributes: { verb, group, resource: plural, subresource, ...namespace, ...name },
        };
        const review = { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview', spec };
        const path = '/kubernetes/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
        return allowed((await sendTo(api, path, ['POST', review]).expect(201)).body.status.allowed);
      },
    },
  };
}
