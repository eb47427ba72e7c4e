import { figuresOf } from './scaling.ts';

const samples = {
  'one process': [100, 200, 400].map((perSecond) => ({ perSecond, cpuMicros: 100 })),
  'two processes': [180, 380, 600].map((perSecond) => ({ perSecond, cpuMicros: 110 })),
  'two workers': [150, 320, 1_000].map((perSecond) => ({ perSecond, cpuMicros: 125 })),
};

describe('figuresOf', () => {
  const found = (name: string) => figuresOf('read', samples).find((figure) => figure.name === name)?.value;

  it('compares the rates of each turn', () => {
    expect(found('read, two processes, in rates of one')).toBe(1.8);
    expect(found('read, two workers, in rates of one')).toBe(1.6);
  });

  it('shows what an operation costs', () => expect(found('CPU of read, two workers')).toBe(125));

  it('leaves CPU time out where the system does not tell', () => {
    const silent = Object.fromEntries(
      Object.entries(samples).map(([way, [sample]]) => [way, [{ ...sample, cpuMicros: undefined }]]),
    ) as unknown as typeof samples;
    expect(figuresOf('read', silent).map(({ name }) => name)).toEqual([
      'read, two processes, in rates of one',
      'read, two workers, in rates of one',
    ]);
  });
});
