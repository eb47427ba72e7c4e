import { equalValues, parseValue } from '../model/json-value.ts';
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
