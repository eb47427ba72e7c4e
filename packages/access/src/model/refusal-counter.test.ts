import type { AuditRecord } from './audit-record.ts';
import { auditRecord } from './audit-record.ts';
import { RefusalCounter } from './refusal-counter.ts';

let ids = 0;
const origin = {
  actor: { type: 'user', id: 'ann@example.dev' },
  requestId: 'r',
  reason: null,
  sourceAddress: '192.0.2.1',
  userAgent: null,
} as const;
const refusal = (path: string, from = origin): AuditRecord =>
  auditRecord({ action: 'request.refused', outcome: 'denied', details: { path } }, from, {
    id: String(ids++),
    time: 0,
  });

describe('identical refusals of one caller within a minute', () => {
  it('are one record, whose count grows', () => {
    const counter = new RefusalCounter();
    const first = refusal('/a');
    counter.add(first, 0);
    counter.add(refusal('/a'), 10);
    expect(counter.take(20)).toEqual([{ ...first, details: { path: '/a', count: 2 } }]);
    expect(counter.take(30)).toEqual([]);
    counter.add(refusal('/a'), 59_999);
    expect(counter.take(60_000)).toEqual([{ ...first, details: { path: '/a', count: 3 } }]);
    counter.add(refusal('/a'), 60_001);
    expect(counter.take(60_002).map(({ id, details }) => [id, details['count']])).toEqual([
      [expect.not.stringMatching(`^${first.id}$`), 1],
    ]);
  });

  it('are not those of another caller, address or path', () => {
    const counter = new RefusalCounter();
    for (const record of [
      refusal('/a'),
      refusal('/b'),
      refusal('/a', { ...origin, sourceAddress: '192.0.2.2' } as never),
    ]) {
      counter.add(record, 0);
    }
    expect(counter.take(1)).toHaveLength(3);
  });

  // Attack: somebody sends refused requests for a new path each time, until the disk is full.
  it('share a record when one caller has too many different ones', () => {
    const counter = new RefusalCounter();
    for (let n = 0; n < 1_000; n += 1) expect(counter.add(refusal(`/${n}`), 0)).toBe(true);
    const records = counter.take(1);
    expect(records).toHaveLength(101);
    expect(records.at(-1)?.details).toEqual({ others: true, count: 900 });
  });

  // Accident: a client that is refused every two minutes, for hours, by a process that records nothing else.
  it('have a record of their own in each minute, however many there were', () => {
    const counter = new RefusalCounter();
    for (let n = 0; n < 150; n += 1) {
      counter.add(refusal('/a'), n * 120_000);
      expect(counter.take(n * 120_000 + 1).map(({ details }) => details)).toEqual([{ path: '/a', count: 1 }]);
    }
  });

  it('are all recorded when a minute ends before they were taken', () => {
    const counter = new RefusalCounter();
    counter.add(refusal('/a'), 0);
    counter.add(refusal('/a'), 1);
    counter.add(refusal('/a'), 60_000);
    expect(counter.take(60_001).map(({ details }) => details['count'])).toEqual([2, 1]);
  });

  // Accident: windows that do not end fill the memory, and later refusals leave no record.
  it('are another record after the clock was set back', () => {
    const counter = new RefusalCounter(2);
    const day = 86_400_000;
    for (const path of ['/a', '/b']) counter.add(refusal(path), day);
    expect(counter.take(0)).toHaveLength(2);
    expect(counter.add(refusal('/c'), 1)).toBe(true);
    expect(counter.take(2)).toHaveLength(1);
  });

  it('are refused beyond the capacity', () => {
    const counter = new RefusalCounter(1);
    expect([
      counter.add(refusal('/a'), 0),
      counter.add(refusal('/b'), 0),
      counter.add(refusal('/a'), 0),
    ]).toEqual([true, false, true]);
  });
});

describe('a record', () => {
  // Attack: a user agent with line breaks or escape sequences forges records in an export or on a terminal; a NUL fails the batch.
  it('holds no control characters of clients, and no long texts', () => {
    const { userAgent, details } = auditRecord(
      { action: 'request.refused', details: { path: `a\u0000\n\u001b[2J${'x'.repeat(9_000)}` } },
      { ...origin, userAgent: `Evil\r\n{"action":"forged"}\u2028` },
      { id: '1', time: 0 },
    );
    expect(userAgent).toBe('Evil??{"action":"forged"}?');
    expect(details['path']).toMatch(/^a\?\?\?\[2Jx+$/);
    expect(String(details['path'])).toHaveLength(512);
  });
});
