import type { Json } from '../json.ts';
import { compilePattern } from '../patterns/pattern.ts';
import { SchemaCostError, workByDepth } from './cost.ts';
import { SchemaDocument } from './document.ts';
import { flatten } from './flatten.ts';

const limits = { chain: 50, workInPlace: 10_000 };

function work(schema: Json) {
  const patterns = new Map(['^a+$'].map((source) => [source, compilePattern(source)]));
  return workByDepth(flatten(new SchemaDocument(schema, 1_000), 1_000), patterns, limits);
}

const keywords = (schema: Json): number[] => work(schema).map((each) => Math.round(each.keywords));

/** Creates definitions, each with the given number of references to the next. */
function ladder(length: number, times: number, hold: (references: Json[]) => Json): Json {
  const steps = Array.from({ length }, (_, index) => [
    `s${index}`,
    hold(Array(times).fill({ $ref: `#/$defs/s${index + 1}` })),
  ]);
  return { $defs: { ...Object.fromEntries(steps), [`s${length}`]: true }, $ref: '#/$defs/s0' };
}

describe('workByDepth', () => {
  it('does not grow beyond the depth of the schema', () => {
    const shallow = keywords({ type: 'object', properties: { a: { type: 'string' } } });
    expect(shallow).toHaveLength(3);
    expect(shallow[1]).toBe(shallow[2]);
  });

  it('counts the most expensive of the declared members, because a member matches only one', () => {
    const one = keywords({ properties: { a: { type: 'string', minLength: 1 } } });
    const many = keywords({
      properties: { a: { type: 'string', minLength: 1 }, b: true, c: { type: 'null' } },
    });
    expect(many).toEqual(one);
  });

  it('grows with the depth of the document for a recursive schema', () => {
    const [first, ...rest] = keywords({ properties: { a: { $ref: '#' } } }) as [number, ...number[]];
    expect(rest.at(-1)).toBeGreaterThan(first * 60);
    expect(rest.at(-1)).toBeLessThan(first * 600);
  });

  it('grows exponentially if a recursive schema evaluates a child twice', () => {
    expect(keywords({ properties: { a: { allOf: [{ $ref: '#' }, { $ref: '#' }] } } }).at(-1)).toBeGreaterThan(
      2 ** 60,
    );
  });

  it('includes the cost of patterns per character', () => {
    const { cost } = compilePattern('^a+$');
    const [root, ...below] = work({ items: { pattern: '^a+$' } });
    expect([root, ...below].map((each) => each?.perCharacter)).toEqual([0, cost, cost]);
  });

  it.each<[string, Json]>([
    ['itself', { $ref: '#' }],
    [
      'itself by way of another',
      {
        $defs: { a: { anyOf: [{ $ref: '#/$defs/b' }] }, b: { not: { $ref: '#/$defs/a' } } },
        $ref: '#/$defs/a',
      },
    ],
    ['itself by a dynamic reference', { $dynamicAnchor: 'a', if: { $dynamicRef: '#a' } }],
  ])('rejects a schema that refers to %s at the same place', (_, schema) => {
    expect(() => work(schema)).toThrow('refers to itself at the same place');
  });

  it('rejects 2^20 references, with the place', () => {
    const schema = ladder(20, 2, (allOf) => ({ allOf }));
    expect(() => work(schema)).toThrow(
      new SchemaCostError('/$defs/s10', 'evaluates more than 10000 keywords at one place'),
    );
  });

  it('rejects a chain that would exhaust the stack', () => {
    expect(() => work(ladder(60, 1, ([reference]) => reference as Json))).toThrow('too long a chain');
    expect(work(ladder(40, 1, ([reference]) => reference as Json))).toBeDefined();
  });
});
