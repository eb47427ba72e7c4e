import type { HistoryEntry } from '../api/resource.ts';
import { ageOf } from './age.ts';
import { cellReader } from './columns.ts';
import { groupHistory, pauseBefore } from './history.ts';
import { parseJsonPath, readJsonPath } from './json-path.ts';
import { lineDiff } from './line-diff.ts';
import { stateOf } from './state.ts';
import { visibleText } from './visible-text.ts';

const resource = {
  spec: { color: 'red', 'a.b': 1, parts: [{ name: 'x' }, { name: 'y' }] },
  status: { conditions: [{ type: 'Ready', status: 'True' }] },
};

describe('parseJsonPath', () => {
  it.each([
    ['.spec.color', ['red']],
    ['spec.color', ['red']],
    ['{.spec.color}', ['red']],
    [".spec['a.b']", [1]],
    ['.spec.a\\.b', [1]],
    ['.spec.parts[1].name', ['y']],
    ['.spec.parts[*].name', ['x', 'y']],
    ['.status.conditions[?(@.type=="Ready")].status', ['True']],
    ['.spec.none.deeper', []],
    ['.__proto__', []],
  ])('reads %s', (text, values) => {
    expect(readJsonPath(parseJsonPath(text) ?? [], resource)).toEqual(values);
  });

  it('refuses what it does not support', () => {
    expect(parseJsonPath('.spec.parts[?(@.size > 3)]')).toBeNull();
    const [cell] = cellReader([{ name: 'x', type: 'string', jsonPath: '..a' }])(resource);
    expect(cell?.text).toBe('n/a');
  });
});

describe('stateOf', () => {
  const metadata = { generation: 2 } as Parameters<typeof stateOf>[0]['metadata'];
  const withStatus = (value: unknown) => stateOf({ metadata, status: { controllers: { one: value } } });

  it.each([
    [{ conditions: [{ type: 'Ready', status: 'True' }] }, 'ready'],
    [{ conditions: [{ type: 'Ready', status: 'False' }] }, 'failed'],
    [{ conditions: [{ type: 'Degraded', status: 'False' }] }, 'ready'],
    [{ observedGeneration: 1, conditions: [{ type: 'Ready', status: 'True' }] }, 'progressing'],
    [{ conditions: 'none' }, 'unknown'],
  ])('of %j is %s', (value, state) => {
    expect(withStatus(value)).toBe(state);
  });
});

describe('groupHistory', () => {
  const entry = (revision: number, minute: number, more: Partial<HistoryEntry> = {}): HistoryEntry => ({
    uid: 'u',
    revision,
    time: `2026-01-01T00:${String(minute).padStart(2, '0')}:00Z`,
    requestId: null,
    actor: { type: 'controller', id: 'c' },
    operation: 'status',
    removed: false,
    generation: 1,
    changes: [],
    ...more,
  });

  it('tells a long pause between two groups, and no short one', () => {
    const [late, middle, early] = ['03:30', '01:00', '00:30'].map((time, index) => ({
      key: time,
      entries: [entry(3 - index, 0, { time: `2026-01-01T${time}:00Z` })],
    }));
    if (late === undefined || middle === undefined) throw new Error('there are three groups');
    expect(pauseBefore(late, middle)).toBe('2 h');
    expect(pauseBefore(middle, early)).toBeNull();
    expect(pauseBefore(middle, undefined)).toBeNull();
  });

  it('puts a run of one actor together, and ends it at a long pause', () => {
    const entries = [
      entry(5, 40),
      entry(4, 21),
      entry(3, 20),
      entry(2, 19, { operation: 'update' }),
      entry(1, 18),
    ];
    expect(groupHistory(entries).map((group) => group.entries.map(({ revision }) => revision))).toEqual([
      [5],
      [4, 3],
      [2],
      [1],
    ]);
  });

  it('puts everything of one deletion together', () => {
    const cascadeId = 'd1';
    const entries = [
      entry(3, 50, { cascadeId, operation: 'collect' }),
      entry(2, 10, { cascadeId, operation: 'delete' }),
    ];
    expect(groupHistory(entries)).toHaveLength(1);
  });
});

describe('lineDiff', () => {
  it('shows changes with three lines around them', () => {
    const before = Array.from({ length: 20 }, (_, line) => `line ${line}`).join('\n');
    const after = before.replace('line 10', 'line ten');
    expect(lineDiff(before, after).map(({ sign }) => sign)).toEqual([
      ...['…', ' ', ' ', ' ', '-', '+', ' ', ' ', ' ', '…'],
    ]);
  });

  it('replaces what is between the ends of two long texts that have nothing else in common', async () => {
    const text = (word: string) =>
      ['head', ...Array.from({ length: 20_000 }, (_, line) => `${word} ${line}`), 'tail'].join('\n');
    const lines = lineDiff(text('before'), text('after'));
    await new Promise((resolve) => setTimeout(resolve));
    expect(lines.filter(({ sign }) => sign === '-')).toHaveLength(20_000);
    expect(lines.filter(({ sign }) => sign === '+')).toHaveLength(20_000);
    expect([lines[0], lines.at(-1)]).toEqual([
      { sign: ' ', text: 'head' },
      { sign: ' ', text: 'tail' },
    ]);
    expect(lineDiff('', text('new')).every(({ sign }) => sign === '+')).toBe(true);
  });
});

it('shows characters that hide, and those that turn text around', () => {
  expect(visibleText('a\u202eb\u200b\n\tc')).toBe('a\\u202eb\\u200b\n\tc');
});

it('tells ages in one unit', () => {
  const now = Date.parse('2026-01-10T00:00:00Z');
  expect(ageOf('2026-01-07T00:00:00Z', now)).toBe('3 d');
  expect(ageOf('2026-01-09T23:55:00Z', now)).toBe('5 min');
  expect(ageOf('2026-01-09T23:59:59Z', now)).toBe('now');
});
