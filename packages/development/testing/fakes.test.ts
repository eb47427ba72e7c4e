import { FakeTimers, fakeClock, recordingLogger, seededBytes } from './index.ts';

it('a fake clock moves only by hand', () => {
  const clock = fakeClock(1_000);
  clock.advance(500);
  expect(clock.now()).toBe(1_500);
  clock.set(10);
  expect(clock.now()).toBe(10);
});

it('seeded bytes repeat with their seed and differ between seeds', () => {
  const draw = (seed: string) => {
    const random = seededBytes(seed);
    return [random.bytes(5), random.bytes(40)].map((bytes) => Buffer.from(bytes).toString('hex')).join('-');
  };
  expect(draw('a')).toBe(draw('a'));
  expect(draw('a')).not.toBe(draw('b'));
  expect(draw('a')).toMatch(/^[0-9a-f]{10}-[0-9a-f]{80}$/);
});

it('a recording logger keeps lines in order', () => {
  const log = recordingLogger();
  log.info('swept', { rows: 1 });
  log.warn('slow');
  log.info('swept', { rows: 2 });
  expect(log.fieldsOf('swept')).toEqual([{ rows: 1 }, { rows: 2 }]);
  expect(log.lines[1]).toEqual({ level: 'warn', message: 'slow', fields: {} });
});

it('fake timers run what becomes due, in order, and what follows from it', async () => {
  const timers = new FakeTimers();
  const start = timers.now();
  const ran: string[] = [];
  const note = (name: string) => () => ran.push(`${name} at ${timers.now() - start}`);
  timers.after(20, note('second'));
  timers.after(10, () => {
    note('first')();
    timers.after(15, note('third'));
  });
  timers.after(12, note('never'))();
  await timers.advance(24);
  expect([ran, timers.waiting, timers.now() - start]).toEqual([['first at 10', 'second at 20'], 1, 24]);
  await timers.advance(1);
  expect(ran.at(-1)).toBe('third at 25');
});
