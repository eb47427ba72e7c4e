import { widget } from '../../test/fixtures.ts';
import { projectedApiVersion, renderEnvelope, renderPage } from './envelope.ts';

describe('renderEnvelope', () => {
  it('writes every member that an answer always has', () => {
    expect(JSON.parse(renderEnvelope(widget))).toEqual({
      apiVersion: 'example.dev/v1',
      kind: 'Widget',
      metadata: {
        name: 'w1',
        uid: widget.uid,
        revision: 3,
        generation: 2,
        discriminator: 'abcd1234',
        creationTimestamp: widget.creationTimestamp,
        ancestors: [],
        labels: {},
        annotations: {},
        finalizers: [],
        ownerReferences: [],
      },
      spec: { size: 1 },
      status: { controllers: {} },
    });
  });

  it('renders a tombstone, quotes in finalizers, and the requested version', () => {
    const tombstone = { ...widget, deletionTimestamp: '2026-02-03T04:05:06.789Z', finalizers: ['a/"b"'] };
    const envelope = JSON.parse(renderEnvelope(tombstone, projectedApiVersion(tombstone, 'v2')));
    expect(envelope.apiVersion).toBe('example.dev/v2');
    expect(envelope.metadata).toMatchObject({
      deletionTimestamp: '2026-02-03T04:05:06.789Z',
      finalizers: ['a/"b"'],
    });
  });

  it('copies stored documents unchanged', () => {
    expect(renderEnvelope({ ...widget, spec: '{ "n":1.10,"h":1e400 }' })).toContain(
      '"spec":{ "n":1.10,"h":1e400 }',
    );
  });
});

describe('renderPage', () => {
  it('has a continue token only when a page follows', () => {
    expect(
      JSON.parse(
        renderPage(['{"a":1}', '{"b":2}'], 'example.dev/v1', 'WidgetList', { next: 'abc', cursor: 'c' }),
      ),
    ).toEqual({
      apiVersion: 'example.dev/v1',
      kind: 'WidgetList',
      metadata: { continue: 'abc', cursor: 'c' },
      items: [{ a: 1 }, { b: 2 }],
    });
    expect(JSON.parse(renderPage([], 'g/v1', 'XList')).metadata).toEqual({});
  });
});
