import { setTimeout as delay } from 'node:timers/promises';
import { Problem } from '@platform/kernel';
import { type JsonValue, parseValue, renderValue } from '@platform/resources';
import { readDeleteOptions } from './delete-options.ts';
import { eventOf, placeOfEvent } from './event.ts';
import { parseEventSelector } from './event-selector.ts';
import { checkFields, readFieldValidation } from './field-validation.ts';
import type { KubernetesKind } from './kind.ts';
import { ancestorsOfNamespace, namespaceOfAncestors } from './namespace.ts';
import { listVersion, objectVersion, parseResourceVersion } from './resource-version.ts';
import { fieldOf, type RequestedObject, statusOf } from './status-error.ts';
import { strategicMerge } from './strategic-merge.ts';

const uid = '0194f7a0-1111-4222-8333-00000000000f';

/** The same numbers in every run. */
function numbers(): () => number {
  let seed = 7;
  return () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed;
  };
}

describe('strategic merge patches', () => {
  it.each([
    ['members are merged', '{"a":{"b":1,"c":2}}', '{"a":{"c":3}}', '{"a":{"b":1,"c":3}}'],
    ['null removes', '{"a":1,"b":2}', '{"a":null}', '{"b":2}'],
    ['other lists are replaced', '{"a":[1,2]}', '{"a":[3]}', '{"a":[3]}'],
    ['finalizers are united', '{"finalizers":["a"]}', '{"finalizers":["b","a"]}', '{"finalizers":["a","b"]}'],
    [
      'items of lists of names are removed',
      '{"finalizers":["a","b"]}',
      '{"$deleteFromPrimitiveList/finalizers":["a"]}',
      '{"finalizers":["b"]}',
    ],
    [
      'owners are merged by uid',
      '{"ownerReferences":[{"uid":"1","name":"a"},{"uid":"2"}]}',
      '{"ownerReferences":[{"uid":"1","controller":true},{"uid":"3"},{"uid":"2","$patch":"delete"}]}',
      '{"ownerReferences":[{"uid":"1","name":"a","controller":true},{"uid":"3"}]}',
    ],
    ['an object is replaced', '{"a":{"b":1}}', '{"a":{"$patch":"replace","c":2}}', '{"a":{"c":2}}'],
    ['an object is deleted', '{"a":{"b":1}}', '{"a":{"$patch":"delete"}}', '{"a":{}}'],
    ['orders are ignored', '{"a":1}', '{"$setElementOrder/a":["x"],"$retainKeys":["a"]}', '{"a":1}'],
    ['an object takes the place of a text', '{"a":"b"}', '{"a":{"c":1}}', '{"a":{"c":1}}'],
    [
      'members of every object are members',
      '{}',
      '{"__proto__":{"a":1},"constructor":1}',
      '{"__proto__":{"a":1},"constructor":1}',
    ],
  ])('%s', (_what, target, patch, expected) => {
    expect(renderValue(strategicMerge(parseValue(target), parseValue(patch)))).toBe(expected);
  });

  it('leave an object as it is when they say what it says', () => {
    const next = numbers();
    const value = (depth: number): JsonValue => {
      const kind = next() % (depth > 3 ? 2 : 4);
      if (kind === 0) return String(next() % 10);
      if (kind === 1) return '"text"';
      const members = Array.from({ length: next() % 4 }, (_, at) => [`m${at}`, value(depth + 1)] as const);
      return kind === 2 ? members.map(([, member]) => member) : new Map(members);
    };
    for (let round = 0; round < 500; round += 1) {
      const text = renderValue(value(0));
      expect(renderValue(strategicMerge(parseValue(text), parseValue(text)))).toBe(text);
    }
  });

  it('take as long as their lists, not as the product of them', async () => {
    // With the product, the test would not end within the limit of the runner, which it notices when a test gives way.
    const of = (text: string) => Array.from({ length: 300_000 }, () => text).join();
    const patch = `{"added":[${of('1')}],"$deleteFromPrimitiveList/added":[${of('2')}]}`;
    const merged = strategicMerge(new Map(), parseValue(patch));
    await delay(0);
    expect(merged).toEqual(parseValue(`{"added":[${of('1')}]}`));
  });
});

describe('resource versions', () => {
  it('are digits that say the state of an object, or a point of the log', () => {
    for (const [revision, removed] of [
      [1, false],
      [1, true],
      [Number.MAX_SAFE_INTEGER, true],
    ] as const) {
      const text = objectVersion({ uid, revision }, removed);
      expect(text).toMatch(/^1\d+$/);
      expect(parseResourceVersion(text)).toEqual({ of: 'object', uid, revision, removed });
    }
    const next = numbers();
    for (let round = 0; round < 200; round += 1) {
      const cursor = Buffer.from(Array.from({ length: 1 + (next() % 40) }, () => next() % 256)).toString(
        'base64url',
      );
      expect(parseResourceVersion(listVersion(cursor))).toEqual({ of: 'list', cursor });
    }
  });

  it.each(['', 'abc', '-1', '1.5', ' 21', '1e3', `3${'0'.repeat(19)}`, '1'.repeat(60)])(
    'are not %s',
    (text) => {
      expect(parseResourceVersion(text)).toBeNull();
    },
  );

  it.each(['0', '1', '3123', '10', '1123', '99999999'])('are those of another service: %s', (text) => {
    expect(parseResourceVersion(text)).toEqual({ of: 'foreign' });
  });

  it('of one object grow as decimal numbers with its revisions, up to its removal', () => {
    const versions = [1, 2, 9, 10, 4_294_967_296].map((revision) => objectVersion({ uid, revision }));
    versions.push(objectVersion({ uid, revision: 4_294_967_296 }, true));
    const numbers = versions.map(BigInt);
    expect(numbers).toEqual([...numbers].sort((one, other) => (one < other ? -1 : 1)));
    expect(new Set(versions.map(({ length }) => length)).size).toBe(1);
  });

  it('have no more characters than a header', () => {
    expect(parseResourceVersion(`2${'9'.repeat(5_000)}`)).toBeNull();
  });
});

it.each([['acme'], ['acme', 'web'], ['a', 'b', 'c.d']])(
  'namespaces are the names of ancestors: %s',
  (...names) => {
    expect(ancestorsOfNamespace(namespaceOfAncestors(names))).toEqual(names);
  },
);

const requested: RequestedObject = {
  verb: 'get',
  group: 'example.dev',
  plural: 'widgets',
  kind: 'Widget',
  resource: 'widgets',
  namespace: 'acme',
  name: 'small',
};

describe('Status errors', () => {
  it.each<[ConstructorParameters<typeof Problem>[0], number, string, string]>([
    ['not_found', 404, 'NotFound', 'widgets.example.dev "small" not found'],
    ['already_exists', 409, 'AlreadyExists', 'widgets.example.dev "small" already exists'],
    [
      'revision_conflict',
      409,
      'Conflict',
      'Operation cannot be fulfilled on widgets.example.dev "small": the object has been modified; please apply your changes to the latest version and try again',
    ],
    ['unauthenticated', 401, 'Unauthorized', 'Unauthorized'],
    ['cursor_expired', 410, 'Expired', 'why'],
    ['payload_too_large', 413, 'RequestEntityTooLarge', 'why'],
    ['unsupported_media_type', 415, 'UnsupportedMediaType', 'why'],
    ['rate_limited', 429, 'TooManyRequests', 'why'],
    ['unavailable', 503, 'ServiceUnavailable', 'why'],
    [
      'forbidden',
      403,
      'Forbidden',
      'widgets.example.dev "small" is forbidden: User "dev" cannot get resource "widgets" in API group "example.dev" in the namespace "acme"',
    ],
    ['unknown_collection', 404, 'NotFound', 'the server could not find the requested resource'],
  ])('%s is %d %s', (problem, code, reason, message) => {
    expect(statusOf(new Problem(problem, 'why'), requested, 'dev')).toMatchObject({
      kind: 'Status',
      apiVersion: 'v1',
      status: 'Failure',
      code,
      reason,
      message,
    });
  });

  it('name every fault by its field', () => {
    const errors = [
      { path: '/spec/items/0/a~1b', message: 'is bad' },
      { path: '/metadata/name', message: 'is worse' },
    ];
    const status = statusOf(new Problem('schema_violation', 'invalid', { errors }), requested, 'dev');
    expect(status).toMatchObject({ code: 422, reason: 'Invalid' });
    expect(status.message).toBe(
      'Widget.example.dev "small" is invalid: [spec.items[0].a/b: Invalid value: is bad, metadata.name: Invalid value: is worse]',
    );
    expect(status.details).toMatchObject({
      causes: [{ reason: 'FieldValueInvalid', field: 'spec.items[0].a/b' }, { field: 'metadata.name' }],
    });
    expect(fieldOf('')).toBe('');
  });

  it('say when to try again, and nothing of a request that named nothing', () => {
    const status = statusOf(new Problem('unavailable', 'why', { retryAfterSeconds: 3 }), null, null);
    expect(status.details).toEqual({ retryAfterSeconds: 3 });
    expect(statusOf(new Problem('not_found', 'why'), null, null).details).toBeUndefined();
  });
});

describe('DeleteOptions', () => {
  it.each([
    ['', null, { uid: null, resourceVersion: null, isDryRun: false }],
    ['{"propagationPolicy":"Foreground","dryRun":["All"]}', null, { isDryRun: true }],
    ['{"preconditions":{"uid":"u","resourceVersion":"1"}}', 'Background', { uid: 'u', resourceVersion: '1' }],
    ['{"kind":"DeleteOptions","gracePeriodSeconds":0,"orphanDependents":false}', null, { uid: null }],
  ])('%s', (text, propagationPolicy, expected) => {
    const query = { propagationPolicy, orphanDependents: false };
    expect(readDeleteOptions(text, query)).toMatchObject(expected);
  });

  it.each([
    ['{"propagationPolicy":"Orphan"}', null],
    ['{"orphanDependents":true}', 'Background'],
    ['', 'Orphan'],
    ['{"propagationPolicy":"Sideways"}', null],
    ['{"preconditions":5}', null],
    ['{"propagationPolicy":"Background","orphanDependents":false}', null],
    ['[]', null],
    ['{"kind":"Widget"}', null],
  ])('are refused: %s %s', (text, propagationPolicy) => {
    const query = { propagationPolicy, orphanDependents: false };
    expect(() => readDeleteOptions(text, query)).toThrow(Problem);
  });

  it('are refused when the query asks for orphans, unless the body does not', () => {
    const query = { propagationPolicy: null, orphanDependents: true };
    expect(() => readDeleteOptions('', query)).toThrow(Problem);
    expect(readDeleteOptions('{"orphanDependents":false}', query)).toMatchObject({ isDryRun: false });
  });
});

it('unknown and duplicate fields are ignored, warned about or refused', () => {
  const fields = { unknown: ['spec.a'], duplicate: ['spec.b'] };
  expect(checkFields(readFieldValidation('Ignore'), fields)).toEqual([]);
  const warnings = ['unknown field "spec.a"', 'duplicate field "spec.b"'];
  expect(checkFields(readFieldValidation(null), fields)).toEqual(warnings);
  const long = { unknown: ['n'.repeat(500_000)], duplicate: [] };
  expect(checkFields('Warn', long)).toEqual([`unknown field "${'n'.repeat(1_000)}..."`]);
  expect(() => checkFields(readFieldValidation('Strict'), fields)).toThrow(
    `strict decoding error: ${warnings.join(', ')}`,
  );
  expect(() => readFieldValidation('strict')).toThrow('fieldValidation');
});

describe('events', () => {
  const kind = { kind: 'Widget', group: 'example.dev', version: 'v1' } as KubernetesKind;
  const item = (revision: number, removed = false) => ({
    time: '2026-01-01T00:00:00.123Z',
    operation: 'patch',
    removed,
    reason: 'why',
    actor: { type: 'operator', id: 'op' },
    resource: { uid, revision, name: 'small', ancestors: ['acme', 'web'] },
  });

  it('have names that say which entry they are, and uids of their own', () => {
    const all = [item(1), item(2), item(3), item(3, true)].map((one) => eventOf(one, kind, ''));
    expect(all.map(({ metadata }) => placeOfEvent(metadata.name))).toEqual(
      [
        [1, false],
        [2, false],
        [3, false],
        [3, true],
      ].map(([revision, removed]) => ({ uid, revision, removed })),
    );
    expect(all[0]?.metadata.namespace).toBe('acme:web');
    expect(placeOfEvent('small.1')).toBeNull();
  });

  it.each([
    ['', true],
    ['involvedObject.kind=Widget,involvedObject.name==small', true],
    ['involvedObject.namespace=acme:web,reason=Patched,type!=Warning', true],
    ['regarding.uid=other', false],
    ['involvedObject.name!=small', false],
    ['reportingController=op', true],
    ['source=op,metadata.namespace=acme', false],
  ])('are selected by %s', (selector, expected) => {
    for (const group of ['', 'events.k8s.io'])
      expect(parseEventSelector(selector).matches(eventOf(item(1), kind, group))).toBe(expected);
  });

  it.each(['spec.a=b', 'reason', '=x', 'reason~x', 'reason=a,,count=1'])(
    'are not selected by %s',
    (selector) => {
      expect(() => parseEventSelector(selector)).toThrow(Problem);
    },
  );
});
