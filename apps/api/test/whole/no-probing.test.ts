import { type DocumentedOperation, operations } from '../openapi/operations.ts';
import { answerTo, api, bound, guarded, missingUid, type Pair, type Sent, uids, v1 } from './hidden-farm.ts';

/** Two values of each parameter of a path: one that exists, and one of the same length that does not. */
const known: Readonly<Record<string, () => Pair>> = {
  organization: () => ['hidden', 'absent'],
  resourcedefinition: () => ['farms.farm.example', 'films.farm.example'],
  role: () => ['viewer', 'reader'],
  rolebinding: () => ['dale-readers', 'dale-writers'],
  subscription: () => ['hook', 'none'],
  team: () => ['insiders', 'somebody'],
  project: () => ['secret', 'absent'],
  environment: () => ['staging', 'nothing'],
  // Their projects do not exist for the caller, so nothing below them is looked at.
  service_account: () => ['robot', 'droid'],
  extension: () => ['login', 'other'],
  deployment: () => [uids['deployment'] ?? '', missingUid],
  user: () => ['operator@example.dev', 'nobody00@example.dev'],
  revision: () => ['1', '7'],
};

const names: readonly Pair[] = [
  ['dale', 'none'],
  ['south', 'never'],
  ['first', 'empty'],
];

/** The pairs of a path with parameters: one for each parameter that is replaced. Throws for one that nobody has described. */
function pairsOf(template: string): readonly Pair[] {
  if (template.includes('{plural}')) return genericPairs(template);
  return pairsWith(template, (name) => {
    const pair = known[name];
    if (pair === undefined) throw new Error(`say in this table what exists and what does not for {${name}}`);
    return pair();
  });
}

/** The pairs of a path of any kind, whatever its depth: a path of a wrong depth must not say so. */
function genericPairs(template: string): readonly Pair[] {
  const hidden = ['dale', 'south', 'gone'].map((name): Pair => [uids[name] as string, missingUid]);
  return ['farms', 'fields', 'rows'].flatMap((plural) => {
    const path = template.replace('{group}/{version}/{plural}', `${v1}/${plural}`);
    const other = (name: string) => names[Number(name.slice(4)) - 1] ?? (known[name] as () => Pair)();
    if (!path.includes('{uuid}')) return pairsWith(path, other);
    return hidden.flatMap((uuid) => pairsWith(path, (name) => (name === 'uuid' ? uuid : other(name))));
  });
}

function pairsWith(template: string, pairOf: (name: string) => Pair): readonly Pair[] {
  const parameters = [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
  const filled = (missing: string | null) =>
    template.replace(/\{(\w+)\}/g, (_all, name: string) => pairOf(name)[name === missing ? 1 : 0]);
  return parameters.map((name) => [filled(null), filled(name)]);
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** The requests at a path: every method, and what the operations of the path document. */
function requestsOf(path: string): readonly Sent[] {
  const documented = operations.filter((one) => one.path === path).flatMap(variantsOf);
  return [...methods.map((method) => ({ method })), ...documented];
}

function variantsOf({ method, parameters, examples }: DocumentedOperation): readonly Sent[] {
  const queries = parameters
    .filter((one) => one.in === 'query')
    .map(({ name, example }) => `${name}=${encodeURIComponent(String(example ?? 'true'))}`);
  const bodies = examples.map(({ type, value }) => ({
    body: typeof value === 'string' ? value : JSON.stringify(value),
    headers: { 'Content-Type': type },
  }));
  const sent: Partial<(typeof bodies)[number]> = bodies[0] ?? {};
  const isRead = method === 'GET';
  return [
    ...bodies.map((body) => ({ method, ...body })),
    ...(isRead ? [] : [{ method, body: '{' }]),
    ...[...queries, 'nonsense=1', 'limit=0'].map((query) => ({ method, query, ...sent })),
    ...[
      { 'If-Match': '"1"' },
      { 'If-None-Match': '*' },
      { 'Idempotency-Key': 'k' },
      { 'X-Change-Reason': 'x'.repeat(2_000) },
      { Accept: 'text/event-stream' },
    ].map((headers) => ({
      method,
      ...sent,
      headers: { ...sent.headers, ...headers },
    })),
  ];
}

/** Pairs are asked at the same time, and often at the same path: with one key, one of them would wait for the other. */
function withOwnKey(sent: Sent, at: number): Sent {
  const { headers } = sent;
  return headers?.['Idempotency-Key'] === undefined
    ? sent
    : { ...sent, headers: { ...headers, 'Idempotency-Key': `k${at}` } };
}

const paths = [...new Set(guarded.filter(({ path }) => path.includes('{')).map(({ path }) => path))];

// Attack: somebody asks for names and uids of others, in every way there is, and compares the answers.
describe.each([
  ['a user without bindings', () => api.session('stranger')],
  ['a user with every verb in another scope', () => api.session(bound)],
])('%s', (_who, session) => {
  it.each(paths)(
    'cannot tell at %s what exists',
    async (path) => {
      const token = session();
      const different: string[] = [];
      for (const request of requestsOf(path)) {
        await Promise.all(
          pairsOf(path).map(async ([existing, missing], at) => {
            const sent = withOwnKey(request, at);
            const answers = [await answerTo(token, existing, sent), await answerTo(token, missing, sent)];
            if (answers[0] !== answers[1])
              different.push(`${JSON.stringify(request)} ${existing}: ${answers.join(' | ')}`);
          }),
        );
      }
      expect(different).toEqual([]);
    },
    120_000,
  );
});
