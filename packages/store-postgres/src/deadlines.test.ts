import { Deadlines } from './deadlines.ts';

describe('Deadlines', () => {
  it('settles as the guarded promise does', async () => {
    const deadlines = new Deadlines(10_000);
    await expect(deadlines.guard(Promise.resolve(1))).resolves.toBe(1);
    await expect(deadlines.guard(Promise.reject(new Error('no')))).rejects.toThrow('no');
    deadlines.close();
  });

  it('gives up on a promise that is never settled', async () => {
    await expect(new Deadlines(16).guard(new Promise(() => {}))).rejects.toMatchObject({
      code: 'unavailable',
      retryAfterSeconds: 1,
    });
  });
});
