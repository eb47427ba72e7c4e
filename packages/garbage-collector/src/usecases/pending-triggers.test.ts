import { PendingTriggers } from './pending-triggers.ts';

describe('the pending triggers', () => {
  it('hold every wake-up since the last run, each once', () => {
    const triggers = new PendingTriggers();
    for (let burst = 0; burst < 1_000; burst += 1) {
      triggers.add({ reason: 'changed', uid: 'a' });
      triggers.add({ reason: 'tombstoned', at: 5 });
    }
    expect(triggers.take(false)).toEqual({ changed: ['a'], tombstonedAt: [5], poll: 'no' });
    expect(triggers.empty).toBe(true);
  });

  it('include a poll when it is due, and a full scan when wake-ups were missed', () => {
    const triggers = new PendingTriggers();
    expect(triggers.take(true).poll).toBe('due');
    triggers.add({ reason: 'missed' });
    expect(triggers.take(false).poll).toBe('all');
  });

  it('ask for a full scan rather than keeping more wake-ups than the bound', () => {
    const triggers = new PendingTriggers();
    for (let at = 0; at <= 10_000; at += 1) triggers.add({ reason: 'tombstoned', at });
    expect(triggers.take(false)).toEqual({ changed: [], tombstonedAt: [], poll: 'all' });
  });
});
