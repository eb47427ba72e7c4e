import { losslessJson } from '../json.ts';
import { renderTemplate, valuesAt } from './json-path.ts';

const list = losslessJson.parse(`{
  "items": [
    { "metadata": { "name": "a", "annotations": { "example.dev/x": "1" } }, "spec": { "n": 1.1, "tags": ["p", "q"] },
      "status": { "conditions": [{ "type": "Ready", "status": "True" }, { "type": "Other", "status": "False" }] } },
    { "metadata": { "name": "b" }, "spec": { "n": 12345678901234567890 } }
  ]
}`);

it.each([
  ['{.items[*].metadata.name}', 'a b'],
  ['{.items[0].metadata.name}', 'a'],
  ['{.items[0].spec.n}/{.items[1].spec.n}', '1.1/12345678901234567890'],
  ['{.items[0].metadata.annotations.example\\.dev/x}', '1'],
  ["{.items[0].metadata.annotations['example.dev/x']}", '1'],
  ['{.items[0].status.conditions[?(@.type=="Ready")].status}', 'True'],
  ['{range .items[*]}{.metadata.name}{"\\t"}{.spec.n}{"\\n"}{end}', 'a\t1.1\nb\t12345678901234567890\n'],
  ['{.items[0].spec.tags}', '["p","q"]'],
  ['{.items[0].none}', ''],
  ['{..name}', 'a b'],
  ['plain', 'plain'],
])('%s gives %j', (template, expected) => {
  expect(renderTemplate(template, list)).toBe(expected);
});

it.each(['{range .items[*]}', '{end}', '{.a', '{items}', '{.a[?(process.exit())]}'])(
  'refuses %s',
  (template) => {
    const value = { a: [1], items: [] };
    expect(() => renderTemplate(template, value)).toThrow(/invalid JSONPath/);
  },
);

it('takes paths without braces, as --sort-by and printer columns have them', () => {
  expect(valuesAt({ spec: { a: [{ b: 1 }, { b: 2 }] } }, '.spec.a[1].b')).toEqual([2]);
});
