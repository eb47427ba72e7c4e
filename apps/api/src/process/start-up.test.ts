import { recordingLogger } from '@platform/development/testing';
import { StorageUnavailable } from '@platform/kernel';
import { startUp } from './start-up.ts';

/** Steps that write down what happens; `failures` come before the first success of `prepare`. */
function recorded(failures: readonly Error[]) {
  const events: string[] = [];
  const left = [...failures];
  return {
    events,
    steps: {
      async prepare() {
        events.push('prepare');
        const failure = left.shift();
        if (failure !== undefined) throw failure;
      },
      async listen() {
        events.push('listen');
      },
      async wait(milliseconds: number) {
        events.push(`wait ${milliseconds}`);
      },
    },
  };
}

const away = () =>
  new StorageUnavailable('The database cannot be reached.', new Error('connect ECONNREFUSED'));

describe('a start', () => {
  it('listens once the database is prepared', async () => {
    const { events, steps } = recorded([]);
    await startUp(steps, recordingLogger());
    expect(events).toEqual(['prepare', 'listen']);
  });

  it('listens at once and keeps trying, ever more slowly, while the database is away', async () => {
    const { events, steps } = recorded(Array.from({ length: 7 }, away));
    const log = recordingLogger();
    await startUp(steps, log);
    expect(events.filter((event) => event === 'listen')).toHaveLength(1);
    expect(events.slice(0, 3)).toEqual(['prepare', 'listen', 'wait 250']);
    expect(events.filter((event) => event.startsWith('wait'))).toEqual(
      [250, 500, 1000, 2000, 4000, 5000, 5000].map((milliseconds) => `wait ${milliseconds}`),
    );
    expect(log.lines).toEqual([
      {
        level: 'warn',
        message: 'the database cannot be reached, trying again',
        fields: { reason: 'The database cannot be reached: connect ECONNREFUSED' },
      },
      { level: 'info', message: 'the database is reached', fields: { seconds: 0 } },
    ]);
  });

  it('fails at once for faults that waiting does not fix', async () => {
    const { events, steps } = recorded([new Error('no Organization has that name')]);
    await expect(startUp(steps, recordingLogger())).rejects.toThrow('no Organization');
    expect(events).toEqual(['prepare']);
  });
});
