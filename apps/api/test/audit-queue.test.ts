import { randomBytes } from 'node:crypto';
import type { AuditRecord } from '@platform/access';
import { oldGenerationGrowth, recordingLogger, until } from '@platform/development/testing';
import { StorageUnavailable } from '@platform/kernel';
import { refusalDetails } from '../src/http/audit.ts';
import { AuditQueue } from '../src/process/audit-queue.ts';

const origin = {
  actor: { type: 'user', id: 'ann@example.dev' },
  requestId: 'r',
  reason: null,
  sourceAddress: null,
  userAgent: null,
} as const;

function fixture(capacity?: number) {
  const state = { broken: false, dropped: 0, ids: 0, failures: 0 };
  const stored = new Map<string, AuditRecord>();
  const batches: number[] = [];
  const log = recordingLogger();
  const queue = new AuditQueue({
    store: {
      async append(records) {
        if (state.broken) {
          state.failures += 1;
          throw new StorageUnavailable('the database is away');
        }
        batches.push(records.length);
        for (const record of records) stored.set(record.id, record);
      },
    },
    identifiers: { uid: () => String(state.ids++) },
    clock: { now: () => 0 },
    log,
    onDropped(count) {
      state.dropped += count;
    },
    ...(capacity === undefined ? {} : { capacity }),
  });
  return { state, stored, batches, queue, log };
}

describe('the queue of audit records', () => {
  it('stores what is waiting in batches when the process stops', async () => {
    const { queue, stored, batches } = fixture();
    for (let n = 0; n < 1_200; n += 1) queue.record({ action: 'token.issued' }, origin);
    await queue.close();
    expect([stored.size, batches]).toEqual([1_200, [500, 500, 200]]);
  });

  it('counts identical refusals in one record', async () => {
    const { queue, stored } = fixture();
    for (let n = 0; n < 5; n += 1) queue.record({ action: 'request.refused', outcome: 'denied' }, origin);
    await queue.close();
    expect([...stored.values()].map(({ details }) => details)).toEqual([{ count: 5 }]);
  });

  // Attack: one machine sends refused requests from ever new addresses of its IPv6 network, until those of others leave no record.
  it('takes a network of IPv6 for one caller with too many different refusals', async () => {
    const { queue, stored, state } = fixture();
    const refuse = (sourceAddress: string) =>
      queue.record({ action: 'request.refused', outcome: 'denied' }, { ...origin, sourceAddress });
    for (let n = 0; n < 12_000; n += 1) refuse(`2001:db8:0:1::${n.toString(16)}`);
    refuse('192.0.2.1');
    await queue.close();
    const records = [...stored.values()];
    expect([records.length, state.dropped]).toEqual([102, 0]);
    expect(records.at(-1)?.sourceAddress).toBe('192.0.2.1');
    expect(records.at(-2)?.details).toEqual({ others: true, count: 11_900 });
  });

  // Attack: ten thousand addresses, of one IPv6 network, send refused requests whose URL and headers are as long as they may be.
  it('keeps of a long request no more than its record has', async () => {
    const { queue } = fixture();
    const long = () => randomBytes(8_000).toString('hex');
    const refuse = async () => {
      const details = refusalDetails('GET', `/${long()}`, 'forbidden');
      const from = { ...origin, sourceAddress: long().slice(0, 16), userAgent: long().slice(0, 256) };
      queue.record({ action: 'request.refused', outcome: 'denied', details }, from);
    };
    expect(await oldGenerationGrowth(100, refuse)).toBeLessThan(1_000_000);
    await queue.close();
  });

  // Attack: the database is slow, and a flood of requests fills the memory of the process.
  it('is bounded: it drops and counts what it cannot keep', async () => {
    const { queue, state, stored, log } = fixture(10);
    state.broken = true;
    for (let n = 0; n < 25; n += 1) queue.record({ action: 'token.issued' }, origin);
    expect(state.dropped).toBe(15);
    await queue.close();
    expect([state.dropped, stored.size]).toEqual([25, 0]);
    expect(log.fieldsOf('audit records are lost')).toEqual([{ records: 10 }]);
  });

  it('has one line at the beginning of an outage and one at its end', async () => {
    const { queue, state, stored, log } = fixture();
    state.broken = true;
    queue.record({ action: 'token.issued' }, origin);
    await until(() => state.failures > 1);
    state.broken = false;
    await until(() => stored.size > 0);
    expect(log.lines).toMatchObject([
      {
        level: 'warn',
        message: 'audit records are not stored yet',
        fields: { waiting: 1, reason: 'the database is away' },
      },
      { level: 'info', message: 'audit records are stored again' },
    ]);
    await queue.close();
  });

  // Accident: the only refusal of a quiet process comes while another record is being written.
  it('stores a refusal that comes during a write', async () => {
    const { queue, stored, batches } = fixture();
    const append = stored.set.bind(stored);
    stored.set = (id, record) => {
      if (batches.length === 1)
        queueMicrotask(() => queue.record({ action: 'request.refused', outcome: 'denied' }, origin));
      return append(id, record);
    };
    queue.record({ action: 'token.issued' }, origin);
    await until(() => stored.size > 1);
    expect([...stored.values()].map(({ action }) => action)).toEqual(['token.issued', 'request.refused']);
  });

  // Accident: a process that stops during an outage has a second writer, and each drops what the other has in hand.
  it('has one writer when the process stops during an outage', async () => {
    let failures = 1;
    let writers = 0;
    let most = 0;
    const queue = new AuditQueue({
      store: {
        async append() {
          writers += 1;
          most = Math.max(most, writers);
          await new Promise((resolve) => setTimeout(resolve, 700));
          writers -= 1;
          if (failures-- > 0) throw new Error('the database is away');
        },
      },
      identifiers: { uid: () => 'r1' },
      clock: { now: () => 0 },
      log: recordingLogger(),
      onDropped: () => undefined,
    });
    queue.record({ action: 'token.issued' }, origin);
    await until(() => writers === 1);
    await queue.close();
    expect([most, failures]).toEqual([1, -1]);
  });

  it('keeps records through an outage', async () => {
    const { queue, state, stored } = fixture();
    state.broken = true;
    queue.record({ action: 'token.issued' }, origin);
    await new Promise((resolve) => setTimeout(resolve, 400));
    state.broken = false;
    await queue.close();
    expect(stored.size).toBe(1);
  });
});
