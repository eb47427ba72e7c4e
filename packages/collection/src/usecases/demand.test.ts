import { Demand } from './demand.ts';

describe('what a sweep is asked for', () => {
  it('is everything that came since the last one, once each', () => {
    const demand = new Demand();
    for (let burst = 0; burst < 1_000; burst += 1) {
      demand.add({ reason: 'look', uid: 'a' });
      demand.add({ reason: 'tombstoned', at: 5 });
    }
    expect(demand.take(false)).toEqual({ look: ['a'], tombstonedAt: [5], poll: 'no' });
    expect(demand.empty).toBe(true);
  });

  it('polls when it is time, and looks everywhere when something was missed', () => {
    const demand = new Demand();
    expect(demand.take(true).poll).toBe('due');
    demand.add({ reason: 'missed' });
    expect(demand.take(false).poll).toBe('all');
  });

  it('looks everywhere rather than keeping more wake-ups than the bound', () => {
    const demand = new Demand();
    for (let at = 0; at <= 10_000; at += 1) demand.add({ reason: 'tombstoned', at });
    expect(demand.take(false)).toEqual({ look: [], tombstonedAt: [], poll: 'all' });
  });
});
