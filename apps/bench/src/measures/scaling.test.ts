import { figuresOf } from './scaling.ts';

const samples = {
  'one process': [100, 200, 400].map((perSecond) => ({ perSecond, cpuMicros: 100 })),
  'two processes': [180, 380, 600].map((perSecond) => ({ perSecond, cpuMicros: 110 })),
  'two workers': [150, 320, 1_000].map((perSecond) => ({ perSecond, cpuMicros: 125 })),
};

describe('figuresOf', () => {
  const found = (name: string) => figuresOf('read', samples).find((figure) => figure.name === name)?.value;

  it('compares the rates of each round', () => {
    expect(found('read, two processes, relative to one')).toBe(1.8);
    expect(found('read, two workers, relative to one')).toBe(1.6);
  });

  it('reports the CPU time of an operation', () => expect(found('CPU of read, two workers')).toBe(125));

  it('leaves out the CPU time if the system does not report it', () => {
    const withoutCpu = Object.fromEntries(
      Object.entries(samples).map(([variant, [sample]]) => [variant, [{ ...sample, cpuMicros: undefined }]]),
    ) as unknown as typeof samples;
    expect(figuresOf('read', withoutCpu).map(({ name }) => name)).toEqual([
      'read, two processes, relative to one',
      'read, two workers, relative to one',
    ]);
  });
});
