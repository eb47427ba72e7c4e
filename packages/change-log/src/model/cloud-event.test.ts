import type { Resource } from '@platform/resources';
import type { ChangeEntry } from './change-entry.ts';
import { cloudEventType, renderEvent } from './cloud-event.ts';

const source = 'https://platform.example.com/api/v1/resources';
const uid = '019c1d6f-7c1e-7c55-9f0e-2f6f5a9c4b11';
const book: Resource = {
  uid,
  apiVersion: 'library.example/v1',
  kind: 'Book',
  parentUid: null,
  ancestors: [],
  ancestorUids: [],
  name: 'moby',
  discriminator: 'd0000000',
  labels: { tier: 'public' },
  metadata: '{"annotations":{}}',
  spec: '{"price":1.10e0,"isbn":12345678901234567890}',
  status: '{"controllers":{}}',
  revision: 3,
  generation: 2,
  finalizers: [],
  ownerReferences: [],
  deletionTimestamp: null,
  creationTimestamp: '2026-01-01T00:00:00.000Z',
};

function entry(changes: Partial<ChangeEntry> = {}, resource: Partial<Resource> = {}): ChangeEntry {
  return {
    tick: 7,
    seq: 9,
    transaction: '700',
    cursor: { tick: 7, seq: 9, snapshot: null, text: 'c7' },
    operation: 'update',
    actor: { type: 'operator', id: 'ann@example.dev' },
    requestId: 'r1',
    reason: null,
    cascadeId: null,
    time: '2026-01-01T12:00:00.000Z',
    removed: false,
    previous: null,
    resource: { ...book, ...resource },
    ...changes,
  } as ChangeEntry;
}

const eventOf = (changes?: Partial<ChangeEntry>, resource?: Partial<Resource>) =>
  JSON.parse(renderEvent(entry(changes, resource), source).body);

describe('a change as a CloudEvent', () => {
  it('has the attributes of CloudEvents 1.0, and the entry of the log as its data', () => {
    const { data, ...attributes } = eventOf();
    expect(attributes).toEqual({
      specversion: '1.0',
      id: `${uid}-3`,
      source,
      type: 'dev.platform.resource.update',
      subject: uid,
      time: '2026-01-01T12:00:00.000Z',
      datacontenttype: 'application/json',
      partitionkey: uid,
      sequence: '0000000000000003',
    });
    const { object, ...facts } = data;
    expect(facts).toEqual({
      cursor: 'c7',
      operation: 'update',
      removed: false,
      requestId: 'r1',
      actor: { type: 'operator', id: 'ann@example.dev' },
    });
    expect(object).toMatchObject({
      apiVersion: 'library.example/v1',
      kind: 'Book',
      metadata: { name: 'moby', uid },
    });
    expect(cloudEventType).toBe('application/cloudevents+json');
  });

  // CloudEvents 1.0, section 3.1: lower-case letters and digits; each of these is text, and none is empty.
  it('names its attributes as the format allows', () => {
    const { data: _, ...attributes } = eventOf({ removed: true, reason: 'r', cascadeId: 'c' });
    for (const [name, value] of Object.entries(attributes)) {
      expect(name).toMatch(/^[a-z0-9]{1,20}$/);
      expect([name, value]).toEqual([name, expect.stringMatching(/./)]);
    }
  });

  it.each([
    'create',
    'patch',
    'apply',
    'status',
    'finalizers',
    'delete',
    'cascade',
    'collect',
    'release',
    'restore',
  ] as const)('tells the operation %s in its type and in its data', (operation) => {
    expect(eventOf({ operation })).toMatchObject({
      type: `dev.platform.resource.${operation}`,
      data: { operation },
    });
  });

  it('is the same at every attempt, and has another id for a removal, which keeps the revision', () => {
    const first = renderEvent(entry(), source);
    expect(renderEvent(entry(), source)).toEqual(first);
    const removal = renderEvent(entry({ operation: 'collect', removed: true }), source);
    expect(removal.id).toBe(`${uid}-3-removed`);
    expect(JSON.parse(removal.body)).toMatchObject({
      id: removal.id,
      sequence: '0000000000000004',
      data: { removed: true, object: { metadata: { revision: 3 } } },
    });
  });

  // Otherwise a receiver that ignores what does not come later would ignore the removal, and revision 10 after 9.
  it('has a sequence that grows with each event of a resource, as a text', () => {
    const sequences = [
      ...[1, 9, 10, 99, 100].map((revision) => eventOf({}, { revision }).sequence),
      eventOf({ removed: true }, { revision: 100 }).sequence,
    ];
    expect([...new Set(sequences)].sort()).toEqual(sequences);
    expect(eventOf({}, { revision: Number.MAX_SAFE_INTEGER }).sequence).toHaveLength(16);
  });

  it('has the reason and the deletion only when the change has them', () => {
    expect(eventOf({ reason: 'say "no"', cascadeId: 'c1' }).data).toMatchObject({
      reason: 'say "no"',
      cascadeId: 'c1',
    });
    expect(Object.keys(eventOf().data)).toEqual([
      'cursor',
      'operation',
      'removed',
      'actor',
      'requestId',
      'object',
    ]);
  });

  it('keeps every digit of the resource', () => {
    const { body } = renderEvent(entry(), source);
    expect(body).toContain('"spec":{"price":1.10e0,"isbn":12345678901234567890}');
  });

  it('leaves out what is sealed: the values of Secrets and the secrets of subscriptions', () => {
    const platform = { apiVersion: 'platform.dev/v1alpha1' };
    const sealed = { ...platform, kind: 'Secret', spec: '{"type":"Opaque","data":{"password":"v1.k.x"}}' };
    expect(eventOf({}, sealed).data.object.spec).toEqual({ type: 'Opaque' });
    const subscription = {
      ...platform,
      kind: 'Subscription',
      spec: '{"secret":"v1.k.x","url":"https://a.example"}',
    };
    expect(eventOf({}, subscription).data.object.spec).toEqual({ url: 'https://a.example' });
  });
});
