import { type AccessRule, type AccessVerb, type EffectiveBinding, grantsOf } from '@platform/access';
import { invalid, Problem } from '@platform/kernel';
import { ancestorsOfNamespace, builtInKinds } from '@platform/kubernetes';
import { type Caller, organizations, parseDocument, platformGroup } from '@platform/resources';
import { z } from 'zod';
import { type Answer, json } from '../../endpoint/answer.ts';
import type { Call } from '../../endpoint/call.ts';
import { requireAccount } from '../../http/require-account.ts';
import { mayReadEvents } from './event-source.ts';
import type { KubernetesDeps } from './object-request.ts';
import type { ObjectPath } from './path.ts';
import { type AskedUse, allows, asCaller } from './permission.ts';
import { userOf } from './refusal.ts';
import { builtInBody } from './sent-body.ts';

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '');

const resourceAttributes = z.looseObject({
  namespace: text,
  verb: text,
  group: text,
  resource: text,
  subresource: text,
  name: text,
});

const reviewBody = z.looseObject({
  apiVersion: text,
  kind: text,
  metadata: z.looseObject({}).nullish(),
  spec: z
    .looseObject({
      namespace: text,
      resourceAttributes: resourceAttributes.nullish(),
      nonResourceAttributes: z.looseObject({ path: text, verb: text }).nullish(),
    })
    .nullish(),
});

type ResourceAttributes = z.infer<typeof resourceAttributes>;
type Review = z.infer<typeof reviewBody>;

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
    if (resourceAttributes != null) return { allowed: await isAllowed(deps, call, resourceAttributes) };
    const { path = '', verb = '' } = nonResourceAttributes ?? {};
    return {
      allowed: await asCaller(deps, call, async ({ type }) => type === 'operator' || isOpen(path, verb)),
    };
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

/** The paths that every caller may read. */
const openPaths: readonly string[] = [
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

function isOpen(path: string, verb: string): boolean {
  const isCovered = (open: string) =>
    open.endsWith('*') ? path.startsWith(open.slice(0, -1)) : path === open;
  return verb === 'get' && openPaths.some(isCovered);
}

// Attack: a group called `__proto__`. A map inherits no members.
const kinds: ReadonlyMap<string, string> = new Map([
  ['authentication.k8s.io/v1/selfsubjectreviews', 'SelfSubjectReview'],
  ['authorization.k8s.io/v1/selfsubjectaccessreviews', 'SelfSubjectAccessReview'],
  ['authorization.k8s.io/v1/selfsubjectrulesreviews', 'SelfSubjectRulesReview'],
]);

/** The kind of the review that a path is about; null for any other path. */
export function kindOfReview({ group, version, namespace, plural }: ObjectPath): string | null {
  return namespace === null ? (kinds.get(`${group}/${version}/${plural}`) ?? null) : null;
}

/** Reviews say who the caller is and what it may do; every caller may ask. `kind` is that of the path. */
export async function reviewAnswer(
  deps: KubernetesDeps,
  call: Call,
  { group, version, plural, name }: ObjectPath,
  kind: string,
): Promise<Answer> {
  if (call.method !== 'POST' || name !== null)
    throw new Problem('method_not_allowed', 'reviews are created', { allow: name === null ? ['POST'] : [] });
  const { principal } = call.context;
  if (principal !== null) await requireAccount(deps, principal);
  const value = parseDocument(await builtInBody(call, deps.bodyLimitBytes)).value;
  const apiVersion = `${group}/${version}`;
  const review = readReview(value, { apiVersion, kind });
  const status = (await answering[plural]?.(deps, call, review)) ?? {};
  const answer = { ...(value as object), kind, apiVersion, metadata: review.metadata ?? {}, status };
  return { ...json(201, answer), contentType: 'application/json' };
}

/** Throws `malformed_body` for what is no such review. Clients with types may leave out what the path says already. */
function readReview(value: unknown, wanted: { readonly apiVersion: string; readonly kind: string }): Review {
  const parsed = reviewBody.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new Problem('malformed_body', `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
  }
  const { apiVersion, kind } = parsed.data;
  if ((apiVersion || wanted.apiVersion) === wanted.apiVersion && (kind || wanted.kind) === wanted.kind)
    return parsed.data;
  throw new Problem('malformed_body', `the body must be a ${wanted.kind} of ${wanted.apiVersion}`);
}

function memberships({ context: { principal } }: Call): object {
  const own = principal?.type === 'user' ? (principal.session?.groups ?? []) : [];
  const uid = principal !== null && 'uid' in principal ? { uid: principal.uid } : {};
  return { ...uid, groups: [...own, 'system:authenticated'] };
}

const bindingsOf = (caller: Caller): readonly EffectiveBinding[] =>
  caller.type === 'operator' ? [] : (caller.access?.bindings ?? []);

function isAllowed(deps: KubernetesDeps, call: Call, asked: ResourceAttributes): Promise<boolean> {
  const { verb, group, resource } = asked;
  return asCaller(deps, call, async (caller) => {
    if (caller.type === 'operator') return true;
    if (resource === 'events' && groupsOfEvents.includes(group))
      return verbsOfEvents.includes(verb) && (await mayReadEvents(deps, caller));
    const stored = builtInKinds.find((kind) => kind.group === group && kind.plural === resource)?.stored;
    const use: AskedUse = {
      verb,
      group: stored?.group ?? group,
      plural: stored?.plural ?? resource,
      namespace: asked.namespace || null,
      name: asked.name || null,
      subresource: asked.subresource || null,
    };
    if (verb === 'deletecollection') return await allowsCollection(deps, caller, use);
    return use.name !== null || ofCollections.has(verb)
      ? await allows(deps, caller, use)
      : await allowsForAll(deps, caller, use);
  });
}

/** Whether the caller may list the objects of a collection, and delete them. */
async function allowsCollection(deps: KubernetesDeps, caller: Caller, use: AskedUse): Promise<boolean> {
  const listed = { ...use, name: null };
  return (
    (await allows(deps, caller, { ...listed, verb: 'list' })) &&
    (await allowsForAll(deps, caller, { ...listed, verb: 'delete' }))
  );
}

/** Whether the caller may use the verb for every object of the namespace. */
async function allowsForAll(
  deps: KubernetesDeps,
  caller: Caller,
  { group, plural, subresource, namespace, verb }: AskedUse,
): Promise<boolean> {
  const grants = grantsOf(bindingsOf(caller), {
    verb: verb as AccessVerb,
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
  const nonResourceRules = [{ verbs: ['get'], nonResourceURLs: openPaths }];
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
    // Bindings below an Organization cover a part of the namespace only, and the kinds that list a controller are no rules.
    return {
      resourceRules: [...here.flatMap(({ rules }) => rules.flatMap(withKubernetesNames)), ...events],
      nonResourceRules,
      incomplete: caller.type === 'controller' || here.length < bindingsOf(caller).length,
    };
  });
}

/** The rule, and the same for the kinds that Kubernetes has in groups of its own: clients look for `secrets` in the core group. */
function withKubernetesNames(rule: AccessRule): readonly AccessRule[] {
  const { apiGroups, resources } = rule;
  if (!apiGroups.includes(platformGroup)) return [rule];
  const named = groupsOfBuiltIns.flatMap((group) => {
    const names = resources.flatMap((resource) => namesInGroup(resource, group));
    return names.length === 0 ? [] : [{ ...rule, apiGroups: [group], resources: names }];
  });
  return [rule, ...named];
}

const groupsOfBuiltIns = [...new Set(builtInKinds.map(({ group }) => group))];

function namesInGroup(resource: string, group: string): readonly string[] {
  const [plural, ...part] = resource.split('/');
  return builtInKinds
    .filter((kind) => kind.group === group && (plural === '*' || plural === kind.stored.plural))
    .map((kind) => [kind.plural, ...part].join('/'));
}
