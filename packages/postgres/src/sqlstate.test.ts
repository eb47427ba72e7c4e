import { Problem } from '@platform/kernel';
import { isRetryable, translateError } from './sqlstate.ts';

const withCode = (code: string) => Object.assign(new Error('as the driver says'), { code });

describe('translateError', () => {
  it.each([
    'ECONNREFUSED',
    'CONNECTION_CLOSED',
    '08006',
    '57P01',
    '57P03',
    '53300',
    '57014',
    '25006',
    '25P04',
    '42P01',
  ])('calls %s an outage that is worth a retry', (code) => {
    expect(translateError(withCode(code))).toMatchObject({ code: 'unavailable' });
  });

  it.each(['23505', '42601', '40P01'])('leaves %s to the caller', (code) => {
    const error = withCode(code);
    expect(translateError(error)).toBe(error);
  });

  it('calls a lock timeout contention, whatever was sent: the server rolls back', () => {
    const timeout = Object.assign(withCode('55P03'), { routine: 'ProcessInterrupts' });
    for (const sent of [false, true]) {
      expect(translateError(timeout, sent)).toMatchObject({ code: 'contention' });
    }
    const refused = withCode('55P03');
    expect(translateError(refused)).toBe(refused);
  });

  it('calls a full queue of notifications an outage, and no other limit of the server', () => {
    const full = { ...withCode('54000'), code: '54000', routine: 'PreCommit_Notify' };
    expect(translateError(full)).toMatchObject({ code: 'unavailable' });
    const limit = withCode('54000');
    expect(translateError(limit)).toBe(limit);
  });

  it.each([
    ['ECONNRESET', null, 'outcome_unknown'],
    ['DEADLINE', null, 'outcome_unknown'],
    ['57P01', 'FATAL', 'outcome_unknown'],
    ['08006', 'ERROR', 'outcome_unknown'],
    ['57014', 'ERROR', 'unavailable'],
    ['53100', 'ERROR', 'unavailable'],
    ['25006', 'ERROR', 'unavailable'],
  ])('says of a write that was sent and met %s (%s) that it is %s', (code, severity, expected) => {
    const error = withCode(code);
    if (severity !== null) Object.assign(error, { name: 'PostgresError', severity });
    expect(translateError(error, true)).toMatchObject({ code: expected });
  });

  it.each(['55000', '42501'])(
    'calls %s an outage at a login, and leaves it to the caller elsewhere',
    (code) => {
      const refused = (severity: string) =>
        Object.assign(withCode(code), { name: 'PostgresError', severity });
      expect(translateError(refused('FATAL'))).toMatchObject({ code: 'unavailable' });
      const error = refused('ERROR');
      expect(translateError(error)).toBe(error);
    },
  );

  it('does not say of a server that answers that it cannot be reached', () => {
    const full = Object.assign(withCode('53100'), { name: 'PostgresError', severity: 'ERROR' });
    expect(translateError(full)).toMatchObject({ message: 'The database cannot serve now.' });
    expect(translateError(withCode('ECONNREFUSED'))).toMatchObject({
      message: 'The database cannot be reached.',
    });
  });

  it('leaves a refusal alone', () => {
    const problem = new Problem('not_found', 'No.');
    expect(translateError(problem)).toBe(problem);
  });
});

describe('isRetryable', () => {
  it('holds for deadlocks, serialization failures and locks that were not to be had, and for nothing else', () => {
    const states = ['40P01', '40001', '55P03', '23505', '57014', 'ECONNRESET'];
    expect(states.filter((state) => isRetryable(withCode(state)))).toEqual(['40P01', '40001', '55P03']);
  });
});
