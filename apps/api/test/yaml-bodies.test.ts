import supertest from 'supertest';
import request from './openapi/documented-request.ts';
import { WholeApi } from './whole/whole-api.ts';

const api = new WholeApi();
const organizations = '/api/v1/resources/platform.dev/v1alpha1/organizations';
const yaml = 'application/yaml';
const send = (text: string) =>
  request(api.publicUrl)
    .post(organizations)
    .set('Authorization', `Bearer ${api.session('operator')}`)
    .set('Content-Type', yaml)
    .send(text);
const organization = (name: string) =>
  `# a comment\napiVersion: platform.dev/v1alpha1\nkind: Organization\nmetadata:\n  name: ${name}\nspec: {}\n`;

describe('a YAML body', () => {
  it('is taken where JSON is', async () => {
    const { body } = await send(organization('from-yaml')).expect(201);
    expect(body.metadata.name).toBe('from-yaml');
  });

  it.each([
    ['a key twice', `${organization('x')}spec: {}\n`, 400, 'malformed_body'],
    ['a syntax error', 'a: [', 400, 'malformed_body'],
    ['two documents', `${organization('x')}---\n${organization('y')}`, 400, 'malformed_body'],
    ['too deep', '['.repeat(50_000), 400, 'malformed_body'],
    ['too large', `a: ${'x'.repeat(300_000)}`, 413, 'payload_too_large'],
    ['nothing', '', 400, 'malformed_body'],
  ])('is refused with a precise reason: %s', async (_name, text, status, code) => {
    const { body } = await send(text).expect(status);
    expect(body.code).toBe(code);
  });
});

describe('Accept: application/yaml', () => {
  const read = (path: string) =>
    supertest(api.publicUrl)
      .get(path)
      .set('Authorization', `Bearer ${api.session('operator')}`)
      .set('Accept', yaml);

  it('gives YAML that can be sent back', async () => {
    const { text, headers } = await read(`${organizations}/default`).expect(200);
    expect(headers['content-type']).toBe(yaml);
    expect(headers['etag']).toBeDefined();
    expect(text).toMatch(/^apiVersion: platform\.dev\/v1alpha1\nkind: Organization\n/);
  });

  it.each([
    ['application/yaml;q=0.5, application/json', 'application/json; charset=utf-8'],
    ['application/json;q=0.5, application/yaml', 'application/yaml'],
    ['application/json, application/yaml', 'application/json; charset=utf-8'],
    ['application/yaml;q=0, */*', 'application/json; charset=utf-8'],
    ['application/json, text/html;q=0.9', 'application/json; charset=utf-8'],
    ['application/yaml;q=0.9, text/html', 'text/html; charset=utf-8'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'text/html; charset=utf-8'],
    ['text/plain', 'application/json; charset=utf-8'],
    ['text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2', 'application/json; charset=utf-8'],
  ])('%s is answered in the form with the greatest weight', async (accept, type) => {
    const { headers } = await read(`${organizations}/default`).set('Accept', accept).expect(200);
    expect(headers['content-type']).toBe(type);
    const refused = await read(`${organizations}/missing`).set('Accept', accept).expect(404);
    expect(refused.headers['content-type']).toBe(
      type.startsWith('text/html') ? type : 'application/problem+json',
    );
  });

  // Attack on a cache: JSON and YAML of a revision have one ETag, so that one was shown for the other.
  it('tells caches that the form depends on Accept', async () => {
    const { headers } = await read(`${organizations}/default`).expect(200);
    expect(headers['vary']).toBe('Accept');
    const unchanged = await read(`${organizations}/default`)
      .set('Accept', 'application/json')
      .set('If-None-Match', String(headers['etag']))
      .expect(304);
    expect(unchanged.headers['vary']).toBe('Accept');
  });

  it('leaves refusals what they are', async () => {
    const { headers } = await read(`${organizations}/nobody`).expect(404);
    expect(headers['content-type']).toBe('application/problem+json');
  });
});
