import { setTimeout as delay } from 'node:timers/promises';
import type { Resource } from '@platform/resources';
import { appliedAnnotation } from './applied-secret.ts';
import { findBuiltInKind } from './built-in-kinds.ts';
import type { KubernetesKind } from './kind.ts';
import { lastApplied } from './last-applied.ts';

const kind = findBuiltInKind('', 'v1', 'secrets') as KubernetesKind;
const secretWith = (data: object, applied: object) =>
  ({
    name: 'a',
    spec: JSON.stringify({ data }),
    metadata: JSON.stringify({
      annotations: {
        [appliedAnnotation]: JSON.stringify({ apiVersion: 'v1', kind: 'Secret', data: applied }),
      },
    }),
  }) as Resource;
const numbered = (count: number, value: string) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, value]));

describe('the configuration that was last applied to a Secret', () => {
  it('has the values that are stored', () => {
    expect(lastApplied(secretWith({ a: 'YQ==', b: 'Yg==' }, { a: '', c: '' }), kind)).toContain(
      '"spec":{"data":{"a":"YQ==","c":""}}',
    );
  });

  // Attack: the spec was read again for each of forty thousand keys: for minutes.
  it('is made of one reading of the spec', async () => {
    const text = lastApplied(secretWith(numbered(1_000, 'x'.repeat(500)), numbered(40_000, '')), kind);
    await delay(0);
    expect(text).toContain('"k39999":""');
  });
});
