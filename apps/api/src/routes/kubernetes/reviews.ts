import { type AccessVerb, type EffectiveBinding, grantsOf } from '@platform/access';
import { invalid, Problem } from '@platform/kernel';
import { ancestorsOfNamespace, builtInKinds, decodeProtobuf, protobufMediaType } from '@platform/kubernetes';
import { type Caller, organizations, parseDocument } from '@platform/resources';
import { type Answer, json } from '../../endpoint/answer.ts';
import type { Call } from '../../endpoint/call.ts';
import { requireAccount } from '../../http/require-account.ts';
import { mayReadEvents } from './event-source.ts';
import type { KubernetesDeps } from './object-request.ts';
import type { ObjectPath } from './path.ts';
import { type AskedUse, allows, asCaller } from './permission.ts';
import { userOf } from './refusal.ts';
import { utf8Of } from './sent-body.ts';

interface ResourceAttributes {
  readonly namespace?: string;
  readonly verb?: string;
  readonly group?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly name?: string;
}

interface Review {
  readonly spec?: {
    readonly namespace?: string;
    readonly resourceAttributes?: ResourceAttributes | null;
    readonly nonResourceAttributes?: object | null;
  };
}

/** Verbs of requests that name no object. */
const ofCollections: ReadonlySet<string> = new Set(['list', 'watch', 'create']);

/** Events are the history of objects: rules name it as `<plural>/history`. */
const groupsOfEvents: readonly string[] = ['', 'events.k8s.io'];
const verbsOfEvents: readonly string[] = ['get', 'list', 'watch'];

type Answering = (deps: KubernetesDeps, call: Call, review: Review) => Promise<object>;

const answering: Readonly<Record<string, Answering>> = {
  selfsubjectreviews: async (_deps, call) => ({ userInfo: { username: userOf(call), ...memberships(call) } }),
  selfsubjectaccessreviews: async (deps, call, { spec }) => {
    const { resourceAttributes, nonResourceAttributes } = spec ?? {};
    requireOneOf(resourceAttributes, nonResourceAttributes);
    // Paths of discovery are open to everybody.
    const allowed = resourceAttributes == null || (await isAllowed(deps, call, resourceAttributes));
    return { allowed };
  },
  selfsubjectrulesreviews: rulesOf,
};

/** An access review asks about a resource or about a path. Throws `validation_failed` for one that asks about neither, or both. */
function requireOneOf(resource: object | null | undefined, path: object | null | undefined): void {
  const message = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
  if (resource == null && path == null) throw invalid([{ path: '/spec/resourceAttributes', message }]);
  if (resource == null || path == null) return;
  const both = 'cannot be specified in combination with resourceAttributes';
  throw invalid([{ path: '/spec/nonResourceAttributes', message: both }]);
}

// Attack: a group called `__proto__`. A map inherits no members.
const groups: ReadonlyMap<string, readonly string[]> = new Map([
  ['authentication.k8s.io', ['selfsubjectreviews']],
  ['authorization.k8s.io', ['selfsubjectaccessreviews', 'selfsubjectrulesreviews']],
]);

/** Whether the path is one of a review. */
export function isReview({ group, plural }: ObjectPath): boolean {
  return groups.get(group)?.includes(plural) ?? false;
}

/** Reviews say who the caller is and what it may do; every caller may ask. */
export async function reviewAnswer(
  deps: KubernetesDeps,
  call: Call,
  { plural, name }: ObjectPath,
): Promise<Answer> {
  if (call.method !== 'POST' || name !== null)
    throw new Problem('method_not_allowed', 'reviews are created', { allow: name === null ? ['POST'] : [] });
  const { principal } = call.context;
  if (principal !== null) await requireAccount(deps, principal);
  const types = ['application/json', protobufMediaType] as const;
  const { mediaType, bytes } = await call.typedBytes(types, deps.bodyLimitBytes);
  const text = mediaType === protobufMediaType ? decodeProtobuf(bytes) : utf8Of(bytes);
  const { value } = parseDocument(text);
  if (typeof value !== 'object' || value === null)
    throw new Problem('malformed_body', 'The body is not an object.');
  const status = (await answering[plural]?.(deps, call, value as Review)) ?? {};
  return { ...json(201, { ...value, status }), contentType: 'application/json' };
}

function memberships({ context: { principal } }: Call): object {
  const own = principal?.type === 'user' ? (principal.session?.groups ?? []) : [];
  const uid = principal !== null && 'uid' in principal ? { uid: principal.uid } : {};
  return { ...uid, groups: [...own, 'system:authenticated'] };
}

const bindingsOf = (caller: Caller): readonly EffectiveBinding[] =>
  caller.type === 'operator' ? [] : (caller.access?.bindings ?? []);

function isAllowed(deps: KubernetesDeps, call: Call, asked: ResourceAttributes): Promise<boolean> {
  const { verb = '', group = '', resource = '' } = asked;
  return asCaller(deps, call, async (caller) => {
    if (caller.type === 'operator') return true;
    if (resource === 'events' && groupsOfEvents.includes(group))
      return verbsOfEvents.includes(verb) && (await mayReadEvents(deps, caller));
    const stored = builtInKinds.find((kind) => kind.group === group && kind.plural === resource)?.stored;
    const use: AskedUse = {
      verb,
      group: stored?.group ?? group,
      plural: stored?.plural ?? resource,
      namespace: orNull(asked.namespace),
      name: orNull(asked.name),
      subresource: orNull(asked.subresource),
    };
    return use.name !== null || ofCollections.has(verb)
      ? await allows(deps, caller, use)
      : await allowsForAll(deps, caller, use);
  });
}

function orNull(text = ''): string | null {
  return text === '' ? null : text;
}

/** Whether the caller may use the verb for every object of the namespace. */
async function allowsForAll(
  deps: KubernetesDeps,
  caller: Caller,
  { group, plural, subresource, namespace, verb }: AskedUse,
): Promise<boolean> {
  const grants = grantsOf(bindingsOf(caller), {
    verb: (verb === 'deletecollection' ? 'delete' : verb) as AccessVerb,
    group,
    name: null,
    resource: subresource === null ? plural : `${plural}/${subresource}`,
  });
  if (grants.some(({ scope }) => scope === null)) return true;
  if (grants.length === 0 || namespace === null) return false;
  const uids = await uidsOf(deps, namespace, group, plural);
  return grants.some(({ scope }) => scope !== null && uids.includes(scope));
}

/** The uids of the ancestors that a namespace names for a kind, as far as they exist. */
function uidsOf(
  { catalog, ports }: KubernetesDeps,
  namespace: string,
  group: string,
  plural: string,
): Promise<readonly string[]> {
  const names = ancestorsOfNamespace(namespace);
  return catalog.resolve(group, plural, async ({ collection }) => {
    const kinds = collection?.ancestors ?? [organizations];
    if (kinds.length !== names.length) return [];
    const steps = kinds.map((kind, at) => ({ group: kind.group, kind: kind.kind, name: names[at] ?? '' }));
    return (await ports.reader.reach({ by: 'path', steps })).uids;
  });
}

function rulesOf(deps: KubernetesDeps, call: Call, { spec }: Review): Promise<object> {
  const discovery = [
    '/api',
    '/api/*',
    '/apis',
    '/apis/*',
    '/openapi/*',
    '/version',
    '/healthz',
    '/readyz',
    '/livez',
  ];
  const nonResourceRules = [{ verbs: ['get'], nonResourceURLs: discovery }];
  return asCaller(deps, call, async (caller) => {
    if (caller.type === 'operator') {
      const everything = { verbs: ['*'], apiGroups: ['*'], resources: ['*'] };
      return { resourceRules: [everything], nonResourceRules, incomplete: false };
    }
    const [first = ''] = ancestorsOfNamespace(spec?.namespace ?? '');
    const { group, kind } = organizations;
    const { uids } = await deps.ports.reader.reach({ by: 'path', steps: [{ group, kind, name: first }] });
    const here = bindingsOf(caller).filter(({ scope }) => scope === null || uids.includes(scope));
    const events = (await mayReadEvents(deps, caller))
      ? [{ verbs: verbsOfEvents, apiGroups: groupsOfEvents, resources: ['events'] }]
      : [];
    // Bindings below an Organization cover a part of the namespace only.
    return {
      resourceRules: [...here.flatMap(({ rules }) => rules), ...events],
      nonResourceRules,
      incomplete: here.length < bindingsOf(caller).length,
    };
  });
}
