import { setTimeout as delay } from 'node:timers/promises';
import { equalValues, type JsonValue, parseValue, renderValue } from '../model/json-value.ts';
import { diffJson } from './json-diff.ts';
import { applyJsonPatch, readJsonPatch } from './json-patch.ts';

const documents = [
  '{}',
  '{"a":1}',
  '{"a":1.0,"b":[1,2,3]}',
  '{"a":1.10,"b":[2,3],"c/d~e":{"__proto__":1,"":null}}',
  '{"b":[0,1,2,3,{"x":[9007199254740993]}],"c/d~e":{"":false}}',
  '{"b":[{"x":[9007199254740992]},3],"a":"1"}',
  '[]',
  '"text"',
  '[[1],[2]]',
];

it.each(documents.flatMap((before) => documents.map((after) => [before, after] as const)))(
  'the patch from %s makes %s',
  (before, after) => {
    const patch = readJsonPatch(parseValue(diffJson(parseValue(before), parseValue(after))));
    expect(equalValues(applyJsonPatch(parseValue(before), patch), parseValue(after))).toBe(true);
    if (before === after) expect(patch).toEqual([]);
  },
);

it('names what changed and no more, with every digit', () => {
  const patch = diffJson(
    parseValue('{"a":[1,2,3],"b":1,"c":0}'),
    parseValue('{"a":[1,3],"b":1.10,"d":1e400}'),
  );
  expect(patch).toBe(
    '[{"op":"remove","path":"/c"},{"op":"remove","path":"/a/1"},{"op":"replace","path":"/b","value":1.10},{"op":"add","path":"/d","value":1e400}]',
  );
});

// Attack: a small write changes every item of a long array, and every read of the history makes megabytes of it.
describe('a patch of very many changes', () => {
  const digits = (from: number) => Array.from({ length: 50_000 }, (_, index) => String((index + from) % 10));
  const names = (from: number) =>
    new Map(digits(from).map((digit, index): [string, JsonValue] => [`${from}-${index}`, digit]));
  const inside = (value: JsonValue): JsonValue => {
    const spec = new Map<string, JsonValue>([
      ['kept', '1'],
      ['l', value],
    ]);
    return new Map([['spec', spec]]);
  };

  it.each<[string, JsonValue, JsonValue]>([
    ['items', digits(0), digits(1)],
    ['items that are removed', digits(0), ['1']],
    ['items that are added', [], digits(0)],
    ['members', names(0), names(1)],
    ['items of items', digits(0).map((one) => [one]), digits(1).map((one) => [one])],
  ])('replaces the value with %s, and makes it', (_what, before, after) => {
    const patch = diffJson(inside(before), inside(after));
    expect(patch.length).toBeLessThan(renderValue(after).length + 20_000);
    const result = applyJsonPatch(inside(before), readJsonPatch(parseValue(patch)));
    expect(equalValues(result, inside(after))).toBe(true);
  });
});

// Attack: the lists were compared again at each of 60 levels, from both ends: with that the test would not end within the limit of the runner,
// which it notices when a test gives way.
it('takes no longer for lists that are nested deep and differ at the bottom', async () => {
  const items = Array.from({ length: 8_000_000 }, () => '1');
  const nested = (last: string) => {
    let value: JsonValue = [...items, last];
    for (let level = 0; level < 60; level += 1) value = [value];
    return value;
  };
  const patch = diffJson(nested('1'), nested('2'));
  await delay(0);
  expect(patch).toBe(`[{"op":"replace","path":"${'/0'.repeat(60)}/8000000","value":2}]`);
});
