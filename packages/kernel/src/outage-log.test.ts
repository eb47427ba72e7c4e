import { OutageLog } from './outage-log.ts';
import { StorageUnavailable } from './storage-error.ts';
import type { LogFields } from './telemetry.ts';

const refused = new StorageUnavailable('The database cannot be reached.', new Error('connection refused'));
const starting = new StorageUnavailable('The database cannot serve now.', new Error('it is starting up'));

function fixture() {
  const lines: { message: string; fields: LogFields | undefined }[] = [];
  const write = (message: string, fields?: LogFields) => void lines.push({ message, fields });
  const logger = { debug: write, info: write, warn: write, error: write };
  let now = 0;
  const log = new OutageLog(logger, { began: 'away', ended: 'back' }, { now: () => now });
  const fieldsOf = (phrase: string) =>
    lines.filter(({ message }) => message === phrase).map(({ fields }) => fields);
  const advance = (milliseconds: number) => {
    now += milliseconds;
  };
  return { log, lines, fieldsOf, advance };
}

describe('an outage', () => {
  it('has one line at its beginning and one at its end, without stacks', () => {
    const { log, fieldsOf, advance } = fixture();
    for (let attempt = 0; attempt < 10; attempt += 1) {
      expect(log.note(refused, { waiting: 3 })).toBe(true);
      advance(5_000);
    }
    log.end();
    log.end();
    expect(fieldsOf('away')).toEqual([
      { waiting: 3, reason: 'The database cannot be reached: connection refused' },
    ]);
    expect(fieldsOf('back')).toEqual([{ seconds: 50 }]);
  });

  it('has another line for another reason after a minute, and for the same one after ten', () => {
    const { log, fieldsOf, advance } = fixture();
    log.note(refused);
    log.note(starting);
    advance(60_000);
    log.note(refused);
    log.note(starting);
    advance(599_999);
    log.note(starting);
    advance(1);
    log.note(starting);
    expect(fieldsOf('away').map((fields) => String(fields?.['reason']).split(': ')[1])).toEqual([
      'connection refused',
      'it is starting up',
      'it is starting up',
    ]);
  });

  it('is no error of another kind, which is for the caller to log', () => {
    const { log, lines } = fixture();
    expect(log.note(new TypeError('a bug'))).toBe(false);
    log.end();
    expect(lines).toEqual([]);
  });
});
