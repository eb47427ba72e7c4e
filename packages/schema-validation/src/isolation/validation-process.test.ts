import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { defaultLimits } from '../limits.ts';
import type { Request } from './start.ts';
import { startProcess } from './start.ts';
import { ValidationProcess } from './validation-process.ts';

const validate = (schema: object, document: unknown): Request => ({
  task: 'validate',
  key: JSON.stringify(schema),
  schema: JSON.stringify(schema),
  text: JSON.stringify(document),
  object: null,
});

const simple = validate({ type: 'null' }, 1);
const simpleFaults = [{ path: '', message: 'must be null', reason: 'FieldValueTypeInvalid' }];

describe('the validation process', () => {
  const opened: ValidationProcess[] = [];
  afterEach(async () => {
    for (const each of opened.splice(0)) await each.close();
  });

  function open(limits: Partial<typeof defaultLimits> = {}, killAfterMs = 10_000, queue = 10) {
    let starts = 0;
    const start = () => {
      starts++;
      return startProcess({ ...defaultLimits, ...limits });
    };
    const opening = new ValidationProcess({ start, killAfterMs, queue });
    opened.push(opening);
    return { validation: opening, starts: () => starts };
  }

  it('starts once, on first use', async () => {
    const { validation, starts } = open();
    expect(starts()).toBe(0);
    expect(await Promise.all([validation.run('a', simple), validation.run('b', simple)])).toEqual([
      simpleFaults,
      simpleFaults,
    ]);
    expect(starts()).toBe(1);
  });

  it('is replaced when its heap is full, and the request gets a fault', async () => {
    const { validation, starts } = open({ heapMb: 64, deadlineMs: 20_000 });
    const items = { required: Array.from({ length: 1_000 }, (_, index) => `k${index}`) };
    const hungry = validate({ items }, Array(20_000).fill({}));
    expect(await validation.run('a', hungry)).toEqual([
      { path: '', message: 'takes too much memory to process' },
    ]);
    expect(await validation.run('a', simple)).toEqual(simpleFaults);
    expect(starts()).toBe(2);
  });

  it('is killed and replaced when it misses its own deadline', async () => {
    // Long enough for simple requests on a loaded machine.
    const { validation, starts } = open({ deadlineMs: 60_000 }, 3_000);
    expect(await validation.run('a', simple)).toEqual(simpleFaults);
    const endless = validate({ pattern: '^(a+)+\\1$' }, `${'a'.repeat(60)}!`);
    expect(await validation.run('a', endless)).toEqual([
      { path: '', message: 'takes longer than 3000 ms to process' },
    ]);
    expect(await validation.run('a', simple)).toEqual(simpleFaults);
    expect(starts()).toBe(2);
  });

  it('serves groups in rotation, and each group in order', async () => {
    const { validation } = open();
    const served: string[] = [];
    const asked = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map(async (name) => {
      await validation.run(name.slice(0, 1), simple);
      served.push(name);
    });
    await Promise.all(asked);
    expect(served).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });

  it('rejects requests when the queue is full', async () => {
    const { validation } = open({}, 10_000, 2);
    const waiting = [validation.run('a', simple), validation.run('a', simple)];
    await expect(validation.run('a', simple)).rejects.toMatchObject({
      code: 'unavailable',
      retryAfterSeconds: 1,
    });
    await Promise.all(waiting);
  });

  it('exits with its parent, even while it works', async () => {
    const child = startProcess({ ...defaultLimits, deadlineMs: 200 });
    await once(child, 'message');
    child.send(validate({ pattern: '^(a+)+\\1$' }, `${'a'.repeat(60)}!`));
    const exited = once(child, 'exit');
    child.disconnect();
    await exited;
    expect(child.connected).toBe(false);
  });

  it('rejects every queued request with the reason if it cannot start', async () => {
    const start = () =>
      spawn(process.execPath, ['-e', 'process.exit(3)'], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    const validation = new ValidationProcess({ start, killAfterMs: 10_000, queue: 10 });
    opened.push(validation);
    const waiting = [validation.run('a', simple), validation.run('b', simple)];
    const outcomes = await Promise.allSettled(waiting);
    const error = new Error('The validation process did not start: code 3.');
    expect(outcomes).toEqual(Array(2).fill({ status: 'rejected', reason: error }));
  });
});
