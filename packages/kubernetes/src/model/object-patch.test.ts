import { setTimeout as delay } from 'node:timers/promises';
import type { Problem } from '@platform/kernel';
import type { Resource } from '@platform/resources';
import { requireNoNewFinalizers } from './object-patch.ts';

const numbered = (count: number, text = 'example.dev/f') =>
  Array.from({ length: count }, (_, index) => `${text}${index}`);
const deleted = (finalizers: readonly string[]) =>
  ({ deletionTimestamp: '2026-01-01T00:00:00Z', finalizers }) as Resource;
const texts = (names: readonly string[]) => names.map((name) => JSON.stringify(name));

function refusal(wanted: readonly string[], stored: Resource): string | undefined {
  try {
    requireNoNewFinalizers(texts(wanted), stored);
    return undefined;
  } catch (error) {
    return (error as Problem).errors?.[0]?.message;
  }
}

describe('finalizers of an object that is being deleted', () => {
  it('may go, and none may come', () => {
    const stored = deleted(numbered(3));
    expect(refusal(numbered(2), stored)).toBeUndefined();
    expect(refusal([...numbered(2), 'example.dev/new'], stored)).toContain('["example.dev/new"]');
    expect(refusal(['example.dev/new'], { ...stored, deletionTimestamp: null })).toBeUndefined();
  });

  // Attack: the name of each of 200,000 finalizers was compared with each of those that are there, and repeated in the refusal. With that
  // the test would not end within the limit of the runner, which it notices when a test gives way.
  it('are compared once each, and twenty of the new ones are named', async () => {
    const message = refusal(numbered(200_000, 'example.dev/new'), deleted(numbered(1_000)));
    await delay(0);
    expect(message).toContain('"example.dev/new19", and 199980 more]');
    expect(message).not.toContain('new20"');
  });
});
