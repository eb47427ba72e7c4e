import type { ObjectRequest } from './object-request.ts';
import { selectorsOf } from './selectors.ts';

function read(fieldSelector: string, namespace: string | null, name: string | null = null) {
  const query = new URLSearchParams({ fieldSelector });
  const selectors = selectorsOf({
    query,
    path: { namespace, name },
    kind: { form: 'namespaced' },
  } as unknown as ObjectRequest);
  return selectors === null ? null : [selectors.namespace, selectors.fieldSelector];
}

it.each([
  ['', null, [null, null]],
  ['', 'a', ['a', null]],
  ['metadata.namespace=a', null, ['a', null]],
  ['metadata.namespace==a', 'a', ['a', null]],
  ['metadata.namespace=a', 'b', null],
  ['metadata.namespace!=a', 'a', null],
  ['metadata.namespace!=a', 'b', ['b', null]],
  ['metadata.namespace!=a', null, [null, 'metadata.namespace!=a']],
  ['metadata.namespace=a,metadata.namespace=b', null, null],
  ['metadata.namespace=a,metadata.namespace!=a', null, null],
  ['metadata.name=x, metadata.namespace=a', null, ['a', 'metadata.name=x']],
])('the field selector %j in the namespace %j selects %j', (selector, namespace, selected) => {
  expect(read(selector, namespace)).toEqual(selected);
});

it('the name in the path is a term of the field selector', () => {
  expect(read('spec.color=red', 'a', 'x')).toEqual(['a', 'metadata.name=x,spec.color=red']);
});
