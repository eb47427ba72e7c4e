import { readdirSync, readFileSync } from 'node:fs';
import { oauthErrorCodes, problemCodes } from '@platform/kernel';
import { z } from 'zod';
import { fromZod } from '../../src/endpoint/from-zod.ts';
import { document, requireDocumented } from './conformance.ts';
import { operations, pathOf } from './operations.ts';

const json = 'application/json';
const problem = (code: keyof typeof problemCodes, more: object = {}) => ({
  status: problemCodes[code].status,
  type: 'application/problem+json',
  text: JSON.stringify({
    type: `/problems/${code}`,
    title: problemCodes[code].title,
    status: problemCodes[code].status,
    detail: 'd',
    instance: '/x',
    code,
    requestId: 'r',
    ...more,
  }),
});

describe('the check of answers against the document', () => {
  it.each([
    ['an answer as documented', { status: 200, type: json, text: '{"status":"ok"}' }],
    ['a documented problem', problem('internal_error')],
    ['a method that nobody has', problem('method_not_allowed')],
  ])('lets through %s', (_name, answer) => {
    expect(() => requireDocumented('GET', '/healthz', answer)).not.toThrow();
  });

  it.each([
    ['a status that is not documented', { status: 201, type: json, text: '{"status":"ok"}' }],
    ['another media type', { status: 200, type: 'text/plain', text: 'ok' }],
    ['a member too few', { status: 200, type: json, text: '{}' }],
    ['a member too many', { status: 200, type: json, text: '{"status":"ok","more":1}' }],
    ['a member of another type', { status: 200, type: json, text: '{"status":1}' }],
    ['no body where there is one', { status: 200, type: json, text: '' }],
    ['a problem of another endpoint', problem('revision_conflict')],
    ['a problem with a member too many', problem('internal_error', { stack: 'at …' })],
  ])('finds %s', (_name, answer) => {
    expect(() => requireDocumented('GET', '/healthz', answer)).toThrow('not as documented');
  });

  it('knows kinds of any depth', () => {
    const path = '/api/v1/resources/g/v/p/a/b/c/d/e';
    expect(() => requireDocumented('GET', path, problem('not_found'))).not.toThrow();
    expect(() => requireDocumented('GET', path, problem('patch_failed'))).toThrow('not as documented');
    expect(() => requireDocumented('PUT', `${path}/status`, problem('revision_conflict'))).toThrow();
  });
});

describe('the document', () => {
  const text = JSON.stringify(operations);

  it('has an endpoint for every problem code but the two that no endpoint answers', () => {
    const nowhere = ['unknown_endpoint', 'method_not_allowed'];
    const named = Object.keys(problemCodes).filter((code) =>
      JSON.stringify(documentResponses()).includes(`"${code}"`),
    );
    expect(named).toEqual(Object.keys(problemCodes).filter((code) => !nowhere.includes(code)));
  });

  it('has an endpoint for every OAuth error that is answered and not redirected', () => {
    const redirected = ['unauthorized_client', 'login_required'];
    const responses = JSON.stringify(documentResponses());
    const missing = Object.keys(oauthErrorCodes).filter((code) => !responses.includes(`"${code}"`));
    expect(missing.sort()).toEqual(redirected.sort());
  });

  it('shows an example of every request body', () => {
    expect(text).not.toBe('[]');
    const bare = operations.filter(
      ({ method, examples }) => /POST|PUT/.test(method) && examples.length === 0,
    );
    expect(bare.map(({ id }) => id).sort()).toEqual([
      'confirmDevice',
      'confirmNativeLogin',
      'logout',
      'proxyUserinfoPost',
      'rotateClientSecret',
      'signOutUser',
    ]);
  });
});

describe('the examples of answers', () => {
  const shown = operations.flatMap((operation) =>
    operation.answers.map((answer) => ({ ...answer, operation, name: `${operation.id} ${answer.status}` })),
  );

  it('are there for every answer that is no page', () => {
    expect(shown.length).toBeGreaterThan(90);
    expect(shown.filter(({ example }) => example === undefined).map(({ name }) => name)).toEqual([]);
  });

  it('are what the service may answer', () => {
    for (const { operation, status, type, example } of shown) {
      const text = type.endsWith('json') ? JSON.stringify(example) : String(example);
      requireDocumented(operation.method, pathOf(operation), { status, type, text });
    }
  });
});

describe('a schema made from zod', () => {
  it('says what zod cannot: objects that a function validates, and fields that must be absent', () => {
    const schema = z.strictObject({
      any: z.custom<object>(() => true),
      absent: z.undefined().optional(),
    });
    expect(fromZod(schema)).toEqual({
      type: 'object',
      properties: { any: { type: 'object' } },
      required: ['any'],
      additionalProperties: false,
    });
  });

  it('refuses an addition to what is not there', () => {
    expect(() => fromZod(z.strictObject({}), { '/properties/gone': {} })).toThrow('/properties/gone');
  });
});

function documentResponses(): object {
  return document.components['responses'] ?? {};
}

it('every test that asks the service with supertest has its answers checked', () => {
  const source = new URL('../../', import.meta.url);
  const files = ['src', 'test'].flatMap((directory) =>
    readdirSync(new URL(`${directory}/`, source), { recursive: true, encoding: 'utf8' }).map(
      (name) => `${directory}/${name}`,
    ),
  );
  const direct = files.filter(
    (file) =>
      file.endsWith('.ts') && /^import .*'supertest';$/m.test(readFileSync(new URL(file, source), 'utf8')),
  );
  // `api.ts` checks by itself, because it sends unknown methods; `trace.test.ts` asks an application of its own; the pages of
  // `large-pages.test.ts` are too large to be checked; preflights, HTML pages and YAML are not in the document.
  expect(direct.sort()).toEqual([
    'src/http/trace.test.ts',
    'test/api.ts',
    'test/cors.test.ts',
    'test/openapi/documented-request.ts',
    'test/whole/large-pages.test.ts',
    'test/whole/pages.test.ts',
    'test/yaml-bodies.test.ts',
  ]);
});
