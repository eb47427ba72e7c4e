import { parseValue, renderValue } from '../model/json-value.ts';
import { mergePatch } from './merge-patch.ts';

// RFC 7396, appendix A.
describe('a JSON Merge Patch', () => {
  it.each([
    ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
    ['{"a":"b"}', '{"a":null}', '{}'],
    ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
    ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
    ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
    ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
    ['["a","b"]', '["c","d"]', '["c","d"]'],
    ['{"a":"b"}', '["c"]', '["c"]'],
    ['{"a":"foo"}', 'null', 'null'],
    ['{"a":"foo"}', '"bar"', '"bar"'],
    ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
    ['[1,2]', '{"a":"b","c":null}', '{"a":"b"}'],
    ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
    [
      '{"n":1.10,"__proto__":{"a":1}}',
      '{"m":1e400,"__proto__":{"b":9007199254740993}}',
      '{"n":1.10,"__proto__":{"a":1,"b":9007199254740993},"m":1e400}',
    ],
  ])('%s with %s is %s', (target, patch, expected) => {
    expect(renderValue(mergePatch(parseValue(target), parseValue(patch)))).toBe(expected);
  });
});
