import { setTimeout as delay } from 'node:timers/promises';
import type { Resource } from '@platform/resources';
import type { ObjectRequest } from './object-request.ts';
import { selectorsOf } from './selectors.ts';

function selectorsIn(
  fieldSelector: string,
  namespace: string | null,
  {
    depth = 1,
    name = null as string | null,
    form = 'resource',
    kind = 'Widget',
    statusFields = [] as readonly string[],
  } = {},
) {
  const query = new URLSearchParams({ fieldSelector });
  return selectorsOf({
    query,
    path: { namespace, name },
    kind: { form, depth, kind, statusFields },
  } as unknown as ObjectRequest);
}

/** Where is looked, for what, and which of the namespaces `a`, `b` and `a:b` are shown. */
function read(selector: string, namespace: string | null) {
  const { namespace: within, fieldSelector, matches } = selectorsIn(selector, namespace);
  const shown = ['a', 'b', 'a:b'].filter(
    (one) => matches?.({ ancestors: one.split(':') } as unknown as Resource) ?? true,
  );
  return [within, fieldSelector, shown.join(' ')];
}

it.each([
  ['', null, [null, null, 'a b a:b']],
  ['', 'a', ['a', null, 'a b a:b']],
  ['metadata.namespace=a', null, ['a', null, 'a b a:b']],
  ['metadata.namespace==a', 'a', ['a', null, 'a']],
  ['metadata.namespace=a', 'b', ['b', null, 'a']],
  ['metadata.namespace!=a', 'a', ['a', null, 'b a:b']],
  ['metadata.namespace!=a', 'b', ['b', null, 'b a:b']],
  ['metadata.namespace!=a', null, [null, null, 'b a:b']],
  ['metadata.namespace!=a,metadata.namespace!=a:b', null, [null, null, 'b']],
  ['metadata.namespace=a,metadata.namespace=b', null, ['a', null, 'b']],
  ['metadata.namespace=a,metadata.namespace!=a', null, ['a', null, 'b a:b']],
  ['metadata.name=x, metadata.namespace=a', null, ['a', 'metadata.name=x', 'a b a:b']],
])('the field selector %j in the namespace %j selects %j', (selector, namespace, selected) => {
  expect(read(selector, namespace)).toEqual(selected);
});

it('the name in the path is a term of the field selector', () => {
  const { namespace, fieldSelector } = selectorsIn('spec.color=red', 'a', { name: 'x' });
  expect([namespace, fieldSelector]).toEqual(['a', 'metadata.name=x,spec.color=red']);
});

it('objects without a namespace are not selected by one', () => {
  const { namespace, fieldSelector } = selectorsIn('metadata.namespace=a', null, { depth: 0 });
  expect([namespace, fieldSelector]).toEqual([null, 'metadata.namespace=a']);
});

it.each([
  ['status.phase=Active', [true, false]],
  ['status.phase!=Active', [false, true]],
  ['status.phase=Terminating', [false, true]],
  ['status.phase=Other', [false, false]],
])('Namespaces are selected by their phase: %s', (selector, shown) => {
  const { fieldSelector, matches } = selectorsIn(selector, null, { depth: 0, form: 'namespace' });
  const resources = [null, '2026-01-01T00:00:00Z'].map(
    (deletionTimestamp) => ({ deletionTimestamp }) as Resource,
  );
  expect([fieldSelector, resources.map((one) => matches?.(one))]).toEqual([null, shown]);
});

it.each([
  ['type=a/b', [true, false]],
  ['type!=a/b', [false, true]],
  ['type=Opaque', [false, true]],
])('Secrets are selected by their type: %s', (selector, shown) => {
  const { fieldSelector, matches } = selectorsIn(selector, 'a', { form: 'data', kind: 'Secret' });
  const resources = ['{"type":"a/b","data":{}}', '{}'].map((spec) => ({ spec }) as Resource);
  expect([fieldSelector, resources.map((one) => matches?.(one))]).toEqual([null, shown]);
});

it('other kinds are not selected by the fields of Namespaces and Secrets', () => {
  const { fieldSelector, matches } = selectorsIn('type=a,status.phase=b', 'a');
  expect([fieldSelector, matches]).toEqual(['type=a,status.phase=b', null]);
});

// Attack: the spec of a Secret was read for each of these terms.
it('reads the type of a Secret once for all terms about it', async () => {
  const terms = Array.from({ length: 4_000 }, (_, index) => `type!=t${index}`).join(',');
  const { matches } = selectorsIn(terms, 'a', { kind: 'Secret', form: 'data' });
  const data = Object.fromEntries(
    Array.from({ length: 1_000 }, (_, index) => [`k${index}`, 'x'.repeat(1_000)]),
  );
  const secretOf = (type: string) => ({ spec: JSON.stringify({ type, data }) }) as Resource;
  const shown = Array.from({ length: 20 }, () => matches?.(secretOf('Opaque')));
  await delay(0);
  expect(new Set(shown)).toEqual(new Set([true]));
  expect(matches?.(secretOf('t3999'))).toBe(false);
});

it.each([
  ['status.phase=Ready', [true, false, false]],
  ['status.phase!=Ready', [false, true, true]],
  ['status.phase=', [false, false, true]],
  ['status.phase=Not\\, or no', [false, true, false]],
])('objects are selected by a field of their status: %s', (selector, shown) => {
  const { fieldSelector, matches } = selectorsIn(selector, 'a', { statusFields: ['status.phase'] });
  const slots = ['{"kubernetes":{"phase":"Ready"}}', '{"kubernetes":{"phase":"Not, or no"}}', '{}'];
  const resources = slots.map((one) => ({ status: `{"controllers":${one}}` }) as Resource);
  expect([fieldSelector, resources.map((one) => matches?.(one))]).toEqual([null, shown]);
  expect(matches?.readsStatus).toBe(true);
});
