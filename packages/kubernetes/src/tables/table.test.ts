import { setTimeout as delay } from 'node:timers/promises';
import type { PrinterColumn } from '@platform/resources';
import { TableForm } from './table.ts';

/** The text of the cell behind the name. */
function cellOf(type: PrinterColumn['type'], jsonPath: string, spec: string): string {
  const table = new TableForm([{ name: 'Column', type, jsonPath }], 'None');
  const row = table.row(`{"metadata":{"name":"a"},"spec":${spec}}`, () => '{}', 0);
  return row.slice('{"cells":["a",'.length, -']}'.length);
}

describe('a cell of a table', () => {
  it.each<[PrinterColumn['type'], string, string]>([
    ['integer', '9007199254740993', '9007199254740993'],
    ['integer', '-9223372036854775808', '-9223372036854775808'],
    ['integer', '1.9', '1'],
    ['integer', '-0.5', '0'],
    ['integer', '2e3', '2000'],
    ['integer', '"7"', 'null'],
    ['number', '9007199254740993', '9007199254740993'],
    ['number', '0.1', '0.1'],
    ['number', 'true', 'null'],
    ['string', '9007199254740993', '"9007199254740993"'],
    ['string', '{"of": [9007199254740993]}', '"{\\"of\\":[9007199254740993]}"'],
    ['string', '"a \\"b\\""', '"a \\"b\\""'],
    ['boolean', 'false', 'false'],
    ['boolean', '"false"', 'null'],
  ])('of type %s has the digits and the type of %s', (type, value, cell) => {
    expect(cellOf(type, '.spec.x', `{"x":${value}}`)).toBe(cell);
  });

  // No client reads a table with such a number.
  it('is null for a number that is beyond those of a client', () => {
    expect(cellOf('number', '.spec.x', '{"x":1e400}')).toBe('null');
    expect(cellOf('integer', '.spec.x', '{"x":1e400}')).toBe('null');
  });

  it('is found by members, places and filters', () => {
    const spec = '{"list":[{"type":"A","n":1},{"type":"Ready","n":9007199254740993}],"a.b":2,"__proto__":3}';
    expect(cellOf('integer', '.spec.list[?(@.type=="Ready")].n', spec)).toBe('9007199254740993');
    expect(cellOf('integer', '.spec.list[0].n', spec)).toBe('1');
    expect(cellOf('integer', '.spec.list[2].n', spec)).toBe('null');
    expect(cellOf('string', '.spec.list[*].n', spec)).toBe('"1,9007199254740993"');
    expect(cellOf('integer', '.spec.a\\.b', spec)).toBe('2');
    expect(cellOf('integer', '.spec.__proto__', spec)).toBe('3');
    expect(cellOf('integer', '.spec.toString', spec)).toBe('null');
  });
});

it('the cell of a column may be found behind a filter', () => {
  const jsonPath = '.status.conditions[?(@.type=="Ready")].status';
  const table = new TableForm([{ name: 'Ready', type: 'string', jsonPath }], 'None');
  const conditions = [
    { type: 'Synced', status: 'False' },
    { type: 'Ready', status: 'True' },
  ];
  const row = table.row(JSON.stringify({ metadata: { name: 'a' }, status: { conditions } }), () => '{}', 0);
  expect(JSON.parse(row)).toEqual({ cells: ['a', 'True'] });
});

it('a column counts members', () => {
  const table = new TableForm([{ name: 'Data', counts: ['.data', '.binaryData'] }], 'None');
  const row = table.row('{"metadata":{"name":"a"},"data":{"x":"1","y":"2"}}', () => '{}', 0);
  expect(row).toBe('{"cells":["a",2]}');
});

describe('the text of a cell', () => {
  const listOf = (count: number, item: object) =>
    JSON.stringify({ list: Array.from({ length: count }, () => item) });
  const lengthOf = (jsonPath: string, spec: string) => JSON.parse(cellOf('string', jsonPath, spec)).length;

  it('has about four thousand characters at most', () => {
    expect(lengthOf('.spec.x', JSON.stringify({ x: 'a'.repeat(4_096) }))).toBe(4_096);
    expect(lengthOf('.spec.x', JSON.stringify({ x: 'a'.repeat(10_000) }))).toBe(4_099);
    expect(lengthOf('.spec.list[*].n', listOf(10_000, { n: 1 }))).toBe(4_095);
    expect(cellOf('string', '.spec', listOf(10_000, { n: 1 }))).toBe('"..."');
  });

  // Attack: dozens of columns that join all items of a long list, or look for one in it, in each of the rows of a page.
  it.each(['.spec.list[*].n', '.spec.list[?(@.n=="x")].n', '.spec'])(
    'takes little for %s',
    async (jsonPath) => {
      const columns = Array.from(
        { length: 64 },
        (_, index) => ({ name: `${index}`, type: 'string', jsonPath }) as const,
      );
      const table = new TableForm(columns, 'None');
      const object = `{"metadata":{"name":"a"},"spec":${listOf(60_000, { n: 1 })}}`;
      for (let row = 0; row < 5; row += 1) table.row(object, () => '{}', 0);
      await delay(0);
      expect(table.row(object, () => '{}', 0).length).toBeLessThan(300_000);
    },
  );
});
