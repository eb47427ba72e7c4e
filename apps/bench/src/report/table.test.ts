import { printFigures, printTable } from './table.ts';

describe('printTable', () => {
  const result = {
    name: 'read',
    baseline: 'baseline',
    connections: 32,
    perSecond: 0,
    rates: [],
    spread: Number.NaN,
    p50: 1,
    p99: 2,
    cpuMicros: Number.POSITIVE_INFINITY,
    failures: 0,
  };

  it('leaves cells empty for a case without responses', () => {
    const [, , row] = printTable([result]).split('\n');
    expect(row?.split('|').map((cell) => cell.trim())).toEqual([
      '',
      'read',
      '32',
      '0',
      '',
      '1.00',
      '2.0',
      '',
      '',
      '',
    ]);
  });

  it('shows failures', () => expect(printTable([{ ...result, failures: 3 }])).toContain('read (3 failed)'));
});

describe('printFigures', () => {
  it('marks unfinished figures', () => {
    const figure = {
      name: 'collected',
      unit: 'rows/s',
      value: 10,
      values: [10],
      spread: 0,
      unfinished: 'not finished',
    } as const;
    expect(printFigures([figure])).toContain('| collected (not finished) |  10.0 | rows/s |');
  });
});
