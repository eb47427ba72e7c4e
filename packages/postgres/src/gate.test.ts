import { Gate } from './gate.ts';

describe('Gate', () => {
  it('admits those that wait in the order in which they came', async () => {
    const gate = new Gate({ permits: 1, maxWaiting: 10, maxWaitMs: 1_000 });
    await gate.enter();
    const order: number[] = [];
    const waiting = [1, 2, 3].map((n) => gate.enter().then(() => order.push(n)));
    expect(gate.load).toEqual({ active: 1, waiting: 3 });
    for (const one of waiting) {
      gate.leave();
      await one;
    }
    expect(order).toEqual([1, 2, 3]);
  });

  it('gets its permits back', async () => {
    const gate = new Gate({ permits: 2, maxWaiting: 10, maxWaitMs: 1_000 });
    await gate.enter();
    await gate.enter();
    expect(gate.tryEnter()).toBe(false);
    gate.leave();
    gate.leave();
    expect(gate.load).toEqual({ active: 0, waiting: 0 });
  });

  it('turns away what comes on top of a full queue', async () => {
    const gate = new Gate({ permits: 1, maxWaiting: 1, maxWaitMs: 1_000 });
    await gate.enter();
    const waiting = gate.enter();
    await expect(gate.enter()).rejects.toMatchObject({ code: 'unavailable' });
    gate.leave();
    await waiting;
  });

  it('refuses the one that has waited too long, and not the ones behind it that have not', async () => {
    const gate = new Gate({ permits: 1, maxWaiting: 10, maxWaitMs: 16 });
    await gate.enter();
    await expect(gate.enter()).rejects.toMatchObject({ code: 'unavailable' });
    expect(gate.load.waiting).toBe(0);
  });

  it('once closed, turns away new ones and lets those that came before finish', async () => {
    const gate = new Gate({ permits: 1, maxWaiting: 10, maxWaitMs: 1_000 });
    await gate.enter();
    const waiting = gate.enter();
    let closed = false;
    const closing = gate.close().then(() => {
      closed = true;
    });
    expect(gate.tryEnter()).toBe(false);
    await expect(gate.enter()).rejects.toMatchObject({ code: 'unavailable' });
    gate.leave();
    await waiting;
    expect(closed).toBe(false);
    gate.leave();
    await closing;
  });
});
