import { oldGenerationGrowth } from '@platform/development/testing';
import { Deadlines } from './deadlines.ts';

describe('Deadlines', () => {
  it('settles as the guarded promise does', async () => {
    const deadlines = new Deadlines(10_000);
    await expect(deadlines.guard(Promise.resolve(1))).resolves.toBe(1);
    await expect(deadlines.guard(Promise.reject(new Error('no')))).rejects.toThrow('no');
    deadlines.close();
  });

  it('gives up on a promise that is never settled', async () => {
    const never = new Promise(() => {});
    await expect(new Deadlines(16).guard(never)).rejects.toMatchObject({ code: 'DEADLINE' });
    await expect(new Deadlines(60_000).guard(never, 16)).rejects.toMatchObject({ code: 'DEADLINE' });
  });

  it('gives up on everything when told to, and tells ahead of a deadline that something is slow', async () => {
    const never = new Promise(() => {});
    let guarded: Promise<unknown> = never;
    const deadlines = await new Promise<Deadlines>((resolve) => {
      const made = new Deadlines(60_000, { afterMs: 16, onSlow: () => resolve(made) });
      guarded = made.guard(never);
    });
    deadlines.expireAll();
    await expect(guarded).rejects.toMatchObject({ code: 'DEADLINE' });
    deadlines.close();
  });

  it('keeps nothing of what has settled, not even until the next full garbage collection', async () => {
    const deadlines = new Deadlines(10_000);
    const under: { readonly settle: (value: unknown) => void; readonly guarded: Promise<unknown> }[] = [];
    const begin = () => {
      let settle: (value: unknown) => void = () => undefined;
      const promise = new Promise((resolve) => {
        settle = resolve;
      });
      under.push({ settle, guarded: deadlines.guard(promise) });
    };
    begin();
    // Each begins before the one ahead of it has settled, as statements do. 3 MB in all.
    const grown = await oldGenerationGrowth(300, async () => {
      begin();
      const ahead = under.shift();
      ahead?.settle(Array.from({ length: 1_250 }, (_, i) => i + 0.5));
      await ahead?.guarded;
    });
    expect(grown).toBeLessThan(400_000);
    deadlines.close();
  });
});
