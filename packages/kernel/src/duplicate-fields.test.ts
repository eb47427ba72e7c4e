import { setTimeout as delay } from 'node:timers/promises';
import { duplicateFields } from './duplicate-fields.ts';

it.each([
  '{"a":1,"b":{"a":1},"c":[{"a":1},{"a":1}]}',
  '{"a":"\\"a\\":","b":"{\\"b\\":1}"}',
  '[{"a":1},"a","a"]',
  '{"a":["a","a",{"b":"b"}],"b":"a"}',
  '{}',
  '"text"',
])('finds no field twice in %s', (text) => {
  expect(duplicateFields(text)).toEqual([]);
});

it.each([
  ['{"a":1,"a":2}', ['a']],
  ['{"a":[],"b":{},"a":2,"a":3}', ['a']],
  ['[{"x":{"b":1,"c":[1],"b":1}}]', ['[0].x.b']],
  ['{"":1,"":2}', ['']],
  ['{"a\\\\":1,"a\\u005c":2}', ['a\\']],
  ['{"spec":{"list":[{"x":"}"},{"x":1,"\\u0078":2}],"y":"a","y":"b"}}', ['spec.list[1].x', 'spec.y']],
])('finds the fields that are there twice in %s', (text, expected) => {
  expect(duplicateFields(text)).toEqual(expected);
});

it('names a hundred of them', () => {
  const fields = Array.from({ length: 200 }, (_, index) => `"f${index}":1`).join(',');
  expect(duplicateFields(`{${fields},${fields}}`)).toHaveLength(100);
});

// Attack: each time that the field is there, its path was written: with the long name, gigabytes.
it('names a field once that is there a hundred thousand times below a long name', async () => {
  const name = 'n'.repeat(500_000);
  const found = duplicateFields(`{"${name}":{${'"a":1,'.repeat(100_000)}"a":1}}`);
  await delay(0);
  expect(found).toEqual([`${name}.a`]);
});
