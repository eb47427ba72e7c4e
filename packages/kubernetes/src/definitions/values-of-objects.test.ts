import { type JsonObject, type JsonValue, parseValue, renderValue } from '@platform/resources';
import { applyDefaults } from './apply-defaults.ts';
import { listKeyFaults } from './list-keys.ts';
import { pruneUnknown } from './prune.ts';

const read = (value: unknown) => parseValue(JSON.stringify(value)) as JsonObject;
const plain = (value: JsonValue) => JSON.parse(renderValue(value));
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const text = { type: 'string' };

describe('defaults', () => {
  const schema = read(
    object({
      spec: object({
        size: { type: 'integer', default: 3 },
        mode: { ...text, default: 'a', nullable: true },
        plain: text,
        policy: object({ retries: { type: 'integer', default: 1 } }, { default: {} }),
        ports: { type: 'array', items: object({ protocol: { ...text, default: 'TCP' } }) },
        byName: { type: 'object', additionalProperties: object({ on: { type: 'boolean', default: true } }) },
      }),
    }),
  );

  it.each([
    [{}, {}],
    [{ spec: {} }, { spec: { size: 3, mode: 'a', policy: { retries: 1 } } }],
    [
      { spec: { size: null, mode: null, plain: null, policy: { retries: 5 } } },
      { spec: { size: 3, mode: null, policy: { retries: 5 } } },
    ],
    [
      { spec: { ports: [{}, { protocol: 'UDP' }], byName: { x: {} } } },
      {
        spec: {
          size: 3,
          mode: 'a',
          policy: { retries: 1 },
          ports: [{ protocol: 'TCP' }, { protocol: 'UDP' }],
          byName: { x: { on: true } },
        },
      },
    ],
  ])('of %j', (value, expected) => {
    const before = JSON.stringify(value);
    const given = read(value);
    expect(plain(applyDefaults(schema, given))).toEqual(expected);
    expect(renderValue(given)).toBe(before);
  });
});

describe('fields that a schema does not know', () => {
  const schema = read(
    object({
      apiVersion: text,
      spec: object({
        list: { type: 'array', items: object({ a: text }) },
        open: object({ known: object({}) }, { 'x-kubernetes-preserve-unknown-fields': true }),
        map: { type: 'object', additionalProperties: object({ a: text }) },
        embedded: object({ spec: object({}) }, { 'x-kubernetes-embedded-resource': true }),
      }),
    }),
  );

  it('are removed and named, unless the schema preserves them', () => {
    const { object: pruned, unknown } = pruneUnknown(
      [schema],
      read({
        apiVersion: 'v1',
        kind: 'K',
        metadata: { name: 'x' },
        data: 1,
        spec: {
          list: [{ a: 'b', c: 1 }],
          open: { other: { deep: 1 }, known: { x: 1 } },
          map: { k: { a: '1', b: '2' } },
          embedded: { apiVersion: 'v1', kind: 'K', metadata: {}, spec: { x: 1 }, more: 1 },
          typo: true,
        },
      }),
    );
    expect(unknown).toEqual([
      'data',
      'spec.list[0].c',
      'spec.open.known.x',
      'spec.map.k.b',
      'spec.embedded.spec.x',
      'spec.embedded.more',
      'spec.typo',
    ]);
    expect(plain(pruned)).toEqual({
      apiVersion: 'v1',
      kind: 'K',
      metadata: { name: 'x' },
      spec: {
        list: [{ a: 'b' }],
        open: { other: { deep: 1 }, known: {} },
        map: { k: { a: '1' } },
        embedded: { apiVersion: 'v1', kind: 'K', metadata: {}, spec: {} },
      },
    });
  });
});

describe('lists of type map', () => {
  it('name the items that have the same keys', () => {
    const schema = read(
      object({
        ports: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['port', 'protocol'],
          items: object({}),
        },
      }),
    );
    const ports = [
      { port: 80, protocol: 'TCP' },
      { port: 80, protocol: 'UDP' },
      { port: 80, protocol: 'TCP' },
    ];
    expect(listKeyFaults(schema, read({ ports }))).toEqual([
      {
        path: '/ports/2',
        message: 'duplicate item with the keys port=80, protocol="TCP"',
        reason: 'FieldValueDuplicate',
      },
    ]);
  });
});
