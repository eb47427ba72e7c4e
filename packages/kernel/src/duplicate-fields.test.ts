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
