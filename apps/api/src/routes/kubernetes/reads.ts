import { Problem } from '@platform/kernel';
import type { ObjectRenderer } from '@platform/kubernetes';
import type { Resource, ResourcePage } from '@platform/resources';
import type { Answer } from '../../endpoint/answer.ts';
import type { Presentation } from '../resources/call.ts';
import { AnsweredVersion } from './answered-version.ts';
import { nothingHere } from './empty-list.ts';
import { runNative } from './native-call.ts';
import type { KubernetesDeps, ObjectRequest } from './object-request.ts';
import { selectorsOf } from './selectors.ts';
import { readVersionMatch, requireVersion } from './version-match.ts';

/** The answers of the Kubernetes API: objects in the form that the client accepts. */
export function objectAnswers(
  renderer: ObjectRenderer,
  version: AnsweredVersion = new AnsweredVersion(false),
): Presentation {
  const one = (resource: Resource, status = 200): Answer => ({
    status,
    body: renderer.one(version.shown(resource), { hasVersion: version.isShown(status === 201) }),
    contentType: renderer.mediaType,
  });
  return {
    item: (resource, _target, status) => one(resource, status),
    page: () => {
      throw new Error('pages are taken before they are rendered');
    },
    deleted: ({ resource }) => one(resource),
  };
}

/** `get` of an object or of its status, which rules name as `<plural>/status`, as in Kubernetes. */
export function getObject(deps: KubernetesDeps, request: ObjectRequest): Promise<Answer> {
  const { call, kind, path, renderer } = request;
  return runNative(deps, call, {
    method: 'GET',
    kind,
    namespace: path.namespace,
    name: path.name,
    ...(path.subresource === null ? {} : { authorizedAs: path.subresource }),
    answers: objectAnswers(renderer),
  });
}

/** Objects of one page of the resource API, at most. */
const largestPage = 1_000;

/** Done with the objects of a page before they are shown. */
type OnPage = (items: readonly Resource[]) => Promise<void>;

/** `list`: one page with `limit`, everything without. An error on a later page can only cut the connection. */
export async function listObjects(
  deps: KubernetesDeps,
  request: ObjectRequest,
  onPage: OnPage = async () => undefined,
): Promise<Answer> {
  const { query, renderer } = request;
  const limit = limitOf(query.get('limit'));
  const match = readVersionMatch(query);
  const sent = parseContinue(query.get('continue'));
  const first = await pageOf(deps, request, limit ?? largestPage, sent?.token ?? null);
  if (match !== null) await requireVersion(deps, request, match);
  const version =
    match?.isExact === true ? match.text : (sent?.version ?? deps.listVersions.of(namedBy(request), first));
  await onPage(first.items);
  const contentType = renderer.mediaType;
  if (limit !== null || first.next === null) {
    const more = first.next === null ? {} : { continue: continueToken(first.next, version) };
    const items = first.items.map((item) => renderer.item(item)).join(',');
    const head = renderer.listHead({ resourceVersion: version, ...more });
    return { status: 200, body: `${head}${items}${renderer.listEnd}`, contentType };
  }
  return { status: 200, body: wholeList(deps, request, { first, version, onPage }), contentType };
}

/** Clients that send no limit read no continue token, so they get every page in one answer. */
async function* wholeList(
  deps: KubernetesDeps,
  request: ObjectRequest,
  list: { readonly first: ResourcePage; readonly version: string; readonly onPage: OnPage },
): AsyncGenerator<string> {
  const { first, version, onPage } = list;
  const { renderer } = request;
  yield renderer.listHead({ resourceVersion: version });
  let separator = '';
  for (let page: ResourcePage | null = first; page !== null; ) {
    // Read while the client takes this page.
    const next: Promise<ResourcePage> | null =
      page.next === null ? null : pageOf(deps, request, largestPage, page.next);
    next?.catch(() => undefined);
    if (page.items.length > 0) {
      yield separator + page.items.map((item) => renderer.item(item)).join(',');
      separator = ',';
    }
    page = await next;
    await onPage(page?.items ?? []);
  }
  yield renderer.listEnd;
}

/** One page of the resource API. A namespace that does not exist has no objects, as in Kubernetes. */
export async function pageOf(
  deps: KubernetesDeps,
  request: ObjectRequest,
  limit: number,
  token: string | null,
): Promise<ResourcePage> {
  const { call, kind } = request;
  const selectors = selectorsOf(request);
  let taken: ResourcePage | undefined;
  const answers: Presentation = {
    ...objectAnswers(request.renderer),
    page(page) {
      taken = page;
      return { status: 200, body: '' };
    },
  };
  try {
    await runNative(deps, call, {
      method: 'GET',
      kind,
      namespace: selectors.namespace,
      answers,
      query: {
        limit: String(Math.min(limit, largestPage)),
        continue: token,
        labelSelector: selectors.labelSelector,
        fieldSelector: selectors.fieldSelector,
      },
    });
  } catch (error) {
    if (!(error instanceof Problem && error.code === 'not_found')) throw error;
    return await nothingHere(deps);
  }
  if (taken === undefined) throw new Error('a list answers with a page');
  await request.storedVersions?.read(taken.items);
  const { matches } = selectors;
  return matches === null ? taken : { ...taken, items: taken.items.filter(matches) };
}

/** The list that a request asks for, without how it is cut into pages. */
function namedBy({ path, query }: ObjectRequest): string {
  const { group, plural, namespace } = path;
  return [group, plural, namespace, query.get('labelSelector'), query.get('fieldSelector')].join(' ');
}

/** Null for no limit. A negative number is none, as in Kubernetes. */
function limitOf(text: string | null): number | null {
  if (text === null || text === '') return null;
  if (!/^-?\d{1,12}$/.test(text)) {
    throw new Problem('invalid_query', `limit: ${JSON.stringify(text.slice(0, 100))} is not a number`);
  }
  const limit = Number(text);
  return limit > 0 ? limit : null;
}

interface Continue {
  readonly token: string;
  /** The version of the first page: a watch after the last page starts there. */
  readonly version: string;
}

function continueToken(token: string, version: string): string {
  return Buffer.from(JSON.stringify({ token, version })).toString('base64url');
}

function parseContinue(text: string | null): Continue | null {
  if (text === null || text === '') return null;
  try {
    const value = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as Partial<Continue> | null;
    if (typeof value?.token === 'string' && typeof value.version === 'string') {
      return { token: value.token, version: value.version };
    }
  } catch {
    // Refused below.
  }
  throw new Problem('invalid_query', 'continue key is not valid');
}
