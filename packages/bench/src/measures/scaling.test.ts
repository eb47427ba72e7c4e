import { figuresOf } from './scaling.ts';

const samples = {
  'one process': [{ perSecond: 1_000, cpuMicros: 100 }],
  'two processes': [{ perSecond: 1_500, cpuMicros: 110 }],
  'two workers': [{ perSecond: 1_400, cpuMicros: 125 }],
};

describe('figuresOf', () => {
  const found = (name: string) => figuresOf('read', samples).find((figure) => figure.name === name)?.value;

  it('divides the rates', () => expect(found('read, two processes, in rates of one')).toBe(1.5));

  it('says what two cores would do that nothing else uses', () => {
    expect(found('read, two processes, in rates of one by CPU time')).toBeCloseTo(200 / 110);
    expect(found('read, two workers, in rates of one by CPU time')).toBe(1.6);
  });

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
