import { NotAcceptable, representationOf } from './representation.ts';

const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const none = new URLSearchParams();

test.each([
  [undefined, 'object'],
  ['', 'object'],
  [`${table},application/json`, 'table'],
  [`application/json,${table}`, 'object'],
  [`application/json;q=0.5,${table};q=0.9`, 'table'],
  [`${table};q=0,application/json`, 'object'],
  [`${table};q=much,application/json`, 'object'],
  ['application/json;as=Table;v=v2;g=meta.k8s.io,application/json', 'object'],
])('%s asks for the form that it wants most', (accept, as) => {
  expect(representationOf(accept, none).as).toBe(as);
});

test.each(['text/html', 'application/json;q=0', `${table};q=0`])(
  '%p accepts nothing that is served',
  (accept) => {
    expect(() => representationOf(accept, none)).toThrow(NotAcceptable);
  },
);
