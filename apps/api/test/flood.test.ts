import fc from 'fast-check';
import { onEveryStore } from './api.ts';
import { definitions, given, registerTree, v1 } from './kinds.ts';
import { rawRequest, sendRaw } from './raw.ts';

const word = fc.oneof(
  fc.constantFrom(
    '..',
    '.',
    'status',
    'finalizers',
    'deletion-blockers',
    'pending-deletion',
    'uid:',
    '__proto__',
    'constructor',
    'farms',
    'hill',
    'fields',
    'farm.example',
    'v1',
    'platform.dev',
    'v1alpha1',
    'organizations',
    '%',
    '%00',
    '%ff',
    '%c0%af',
    '%2f',
    '%2e%2e',
    "'",
    '";--',
    '{}',
    '*',
    'uid:00000000-0000-7000-8000-000000000001',
    '\\',
  ),
  fc.string({ maxLength: 20, unit: 'grapheme' }).map((text) => encodeURIComponent(text)),
);
const known = fc.constantFrom(
  `${v1}/farms`,
  `${v1}/fields/hill`,
  `${v1}/farms/hill`,
  `${v1}/farms/hill/status`,
  `${v1}/farms/hill/finalizers`,
  definitions,
  `${definitions}/farms.farm.example`,
);
const path = fc
  .tuple(fc.oneof(known, word), fc.array(word, { maxLength: 3 }))
  .map(([first, rest]) => [first, ...rest].join('/'));
const query = fc.oneof(
  fc.constant(''),
  fc.constantFrom(
    '?limit=1',
    '?limit=-1',
    '?limit=%00',
    '?continue=',
    '?continue=AAAA',
    '?slot=',
    '?slot=%00',
    '?slot=a',
    '?%',
  ),
  fc.string({ maxLength: 12, unit: 'grapheme' }).map((text) => `?${encodeURIComponent(text)}`),
);

/** Bodies between noise and almost right. */
const value: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom(
    'farm.example/v1',
    'Farm',
    'hill',
    'uid:x',
    '',
    '\u0000',
    '\ud800',
    1e300,
    -0,
    [],
    {},
    null,
  ),
);
const metadata = fc.record(
  { name: value, revision: value, annotations: value, finalizers: value, ownerReferences: value, uid: value },
  { requiredKeys: [] },
);
const envelope = fc.record(
  {
    apiVersion: fc.oneof(fc.constant(v1), value),
    kind: fc.oneof(fc.constantFrom('Farm', 'Field', 'ResourceDefinition'), value),
    metadata: fc.oneof(metadata, value),
    spec: value,
    status: value,
    add: value,
    remove: value,
  },
  { requiredKeys: [] },
);
const body = fc.oneof(
  envelope.map((sent) => JSON.stringify(sent)),
  value.map((sent) => JSON.stringify(sent) ?? ''),
  fc.string({ maxLength: 60 }),
  fc.constantFrom(
    '{"__proto__":{"a":1}}',
    '[[[[',
    '{"a":1e999}',
    `{"spec":${'['.repeat(3000)}`,
    '\u0000',
    '{"\\u0000":1}',
  ),
);
const method = fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE');
const contentType = fc.constantFrom('application/json', 'application/json; charset=utf-16', 'text/plain', '');

onEveryStore((api) => {
  beforeAll(async () => {
    await registerTree(api, { allowedStatusControllerIds: ['ctrl.example.dev'] });
    await given(api, 'Farm', ['hill']);
  });

  describe('a flood of hostile requests', () => {
    it('never brings about a 5xx', async () => {
      const as = fc.constantFrom('operator', 'operator', 'operator', 'controller', 'user');
      const seen = new Set<number>();
      const sent = fc.tuple(method, path, query, contentType, body, as);
      await fc.assert(
        fc.asyncProperty(sent, async ([verb, where, question, type, text, who]) => {
          const bytes = Buffer.from(text);
          const head = rawRequest(verb, `/api/v1/resources/${where}${question}`, [
            `Content-Length: ${bytes.length}`,
            ...(type === '' ? [] : [`Content-Type: ${type}`]),
          ]).replace('Bearer operator', `Bearer ${who}`);
          const { status } = await sendRaw(api, head, bytes);
          seen.add(status);
          expect(status).toBeGreaterThanOrEqual(200);
          expect(status).toBeLessThan(500);
        }),
        { numRuns: 1500, seed: 20260101, endOnFailure: true },
      );
      // The flood gets past the door: otherwise it would prove nothing.
      expect([...seen]).toEqual(expect.arrayContaining([200, 400, 403, 404, 405, 415]));
      expect(api.log.lines.filter(({ level }) => level === 'error')).toEqual([]);
    }, 120_000);
  });
});
