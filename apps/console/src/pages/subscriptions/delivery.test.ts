import { deliveryOf, type Subscription, selectionOf } from './delivery.ts';

function subscription(spec: object, condition?: object): Subscription {
  const controllers = condition === undefined ? {} : { platform: { conditions: [condition] } };
  return {
    apiVersion: 'platform.dev/v1alpha1',
    kind: 'Subscription',
    metadata: { name: 'hook', uid: 'u', revision: 4, generation: 2 },
    spec: { url: 'https://hook.example', ...spec },
    status: { controllers },
  } as unknown as Subscription;
}

const paused = {
  type: 'Delivering',
  status: 'False',
  reason: 'DeliveryFailed',
  observedGeneration: 2,
  message: 'delivery failed for 24 hours',
};

describe('deliveryOf', () => {
  it.each([
    ['shows no message while there is no trouble', {}, undefined, 'Delivering', false],
    ['a pause has its reason', {}, paused, 'Paused: DeliveryFailed', true],
    ['a changed spec ends a pause', {}, { ...paused, observedGeneration: 1 }, 'Resuming', false],
    ['attempts go on by themselves', {}, { ...paused, reason: 'Retrying' }, 'Retrying', false],
    ['suspended by the spec', { suspend: true }, undefined, 'Suspended', true],
    ['suspended until a moment ago', {}, { ...paused, reason: 'Suspended' }, 'Resuming', false],
  ])('%s', (_name, spec, condition, word, canResume) => {
    expect(deliveryOf(subscription(spec, condition))).toMatchObject({ word, canResume });
  });
});

it('selectionOf says what is delivered', () => {
  expect(selectionOf(subscription({}))).toBe('every kind');
  const selector = {
    kinds: ['Tractor.farm.example.dev', { kind: 'Farm' }],
    labelSelector: 'tier=field',
    scope: { kind: 'Organization', name: 'acme' },
  };
  expect(selectionOf(subscription({ selector }))).toBe(
    'Tractor.farm.example.dev, Farm with tier=field below Organization acme',
  );
});
