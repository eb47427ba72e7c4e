import { explainError, outageReason, rootCauseOf, StorageUnavailable } from './index.ts';

const outage = (cause?: unknown) => new StorageUnavailable('The database cannot serve now.', cause);

describe('explainError', () => {
  it('adds the words of the server, however deep they are', () => {
    const refused = new Error('password authentication failed for user "platform"');
    const said = 'The database cannot serve now: password authentication failed for user "platform"';
    expect(explainError(outage(refused))).toBe(said);
    expect(explainError(outage(outage(refused)))).toBe(said);
  });

  it('adds the code of an error without a message, as of a host with several addresses', () => {
    const failed = Object.assign(new AggregateError([], ''), { code: 'ECONNREFUSED' });
    expect(explainError(outage(failed))).toBe('The database cannot serve now: ECONNREFUSED');
  });

  it('is the message of an error without a cause', () => {
    expect(explainError(outage())).toBe('The database cannot serve now.');
    expect(rootCauseOf(outage('no error'))).toBeNull();
  });
});

describe('outageReason', () => {
  it('says to everybody what is wrong, without the words of the server', () => {
    expect(outageReason(outage(new Error('host db-1.internal')))).toBe('the database cannot serve now');
    expect(outageReason(new Error('host db-1.internal'))).toBe('the database cannot be reached');
  });
});
