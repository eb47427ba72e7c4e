import { problemCodes } from '@platform/kernel';
import supertest from 'supertest';
import request from '../openapi/documented-request.ts';
import { WholeApi } from './whole-api.ts';

const api = new WholeApi();
const browser = 'text/html,application/xhtml+xml,*/*;q=0.8';
// Pages are no part of the OpenAPI document.
const open = (path: string) => supertest(api.publicUrl).get(path).set('Accept', browser);
const openAsOperator = (path: string) => open(path).set('Authorization', `Bearer ${api.session('operator')}`);
const html = 'text/html; charset=utf-8';

describe('a person with a browser', () => {
  it('meets a page at the address of the service, with the way to log in', async () => {
    const { text, headers } = await open('/').expect(200);
    expect(headers['content-type']).toBe(html);
    expect(headers['content-security-policy']).not.toContain('unsafe');
    for (const path of ['/api/v1/auth/login?redirect=%2F', '/console', '/docs', '/downloads'])
      expect(text).toContain(`href="${path}"`);
    const { text: known } = await openAsOperator('/').expect(200);
    expect(known).toContain('You are logged in as');
  });

  it('gets an unknown address as a page that says what to do', async () => {
    const { text, headers } = await open('/nowhere?<script>').expect(404);
    expect(headers['content-type']).toBe(html);
    expect(text).toContain('href="/problems/unknown_endpoint"');
    expect(text).toContain(String(headers['x-request-id']));
    expect(text).not.toContain('<script');
  });

  it('is led to the login from a page that needs one, and back', async () => {
    const { text, headers } = await open('/api/v1/projects?limit=5').expect(401);
    expect(headers['www-authenticate']).toBe('Bearer');
    expect(text).toContain('href="/api/v1/auth/login?redirect=%2Fapi%2Fv1%2Fprojects%3Flimit%3D5"');
  });

  it('can start a login that went wrong again', async () => {
    const { text } = await open('/api/v1/auth/callback?state=old&code=secret-code').expect(400);
    expect(text).toContain('Start again');
    expect(text).not.toContain('secret-code');
  });

  it('reads a collection as a table, and an item', async () => {
    const collection = '/api/v1/resources/platform.dev/v1alpha1/organizations';
    const { text, headers } = await openAsOperator(collection).expect(200);
    expect(headers['content-type']).toBe(html);
    const link = /href="(\/api\/v1\/resources\/[^"]+uid:[^"]+)">default</.exec(text)?.[1];
    const item = await openAsOperator(String(link)).expect(200);
    expect(item.text).toContain('&#34;name&#34;: &#34;default&#34;');
  });
});

describe('a program', () => {
  it('gets JSON from the same addresses', async () => {
    const { headers } = await request(api.publicUrl).get('/nowhere').expect(404);
    expect(headers['content-type']).toBe('application/problem+json');
    const { body } = await request(api.publicUrl).get('/problems/revision_conflict').expect(200);
    expect(body).toMatchObject({
      code: 'revision_conflict',
      status: 409,
      type: '/problems/revision_conflict',
    });
    expect(body.description).not.toBe('');
  });

  const item = '/api/v1/resources/platform.dev/v1alpha1/organizations/default';
  it.each([
    [item, 'application/yaml', 'application/json; charset=utf-8'],
    [item, 'text/html', 'application/json; charset=utf-8'],
    [`${item}?watch=true&timeoutSeconds=1`, 'text/event-stream', 'application/x-ndjson'],
    ['/api/v1/audit?limit=1', 'application/x-ndjson', 'application/json; charset=utf-8'],
    ['/nowhere', 'text/html', 'application/problem+json'],
  ])('gets no other form of %s when it refuses %s with the weight 0', async (path, refused, expected) => {
    for (const weight of ['0', '0.000']) {
      const { headers } = await supertest(api.publicUrl)
        .get(path)
        .set('Authorization', `Bearer ${api.session('operator')}`)
        .set('Accept', `${refused}; Q=${weight}, */*`);
      expect(headers['content-type']).toBe(expected);
    }
  });

  it('gets a form that it names with any other weight', async () => {
    const { headers } = await supertest(api.publicUrl)
      .get(item)
      .set('Authorization', `Bearer ${api.session('operator')}`)
      .set('Accept', 'Application/YAML;q=0.05');
    expect(headers['content-type']).toBe('application/yaml');
  });
});

describe('HEAD', () => {
  const organizations = '/api/v1/resources/platform.dev/v1alpha1/organizations';
  const paths = [
    '/',
    organizations,
    `${organizations}/default`,
    `${organizations}/nobody`,
    `${organizations}/default/history`,
    '/api/v1/projects',
    '/api/v1/audit?actor=nobody',
    '/api/v1/auth/me',
    '/docs',
    '/nowhere',
    '/problems/not_found',
  ];
  const accepts = [
    browser,
    'application/json',
    'application/yaml',
    'application/x-ndjson',
    'text/event-stream',
  ];

  it.each(paths)('of %s has the headers of its GET', async (path) => {
    for (const accept of accepts) {
      const read = async (method: 'get' | 'head') => {
        const { status, headers } = await supertest(api.publicUrl)
          [method](path)
          .set('Authorization', `Bearer ${api.session('operator')}`)
          .set('Accept', accept)
          .set('X-Request-Id', 'head-and-get');
        // The framing of a stream, which an answer without content does not have (RFC 9112, section 6.1).
        const { date: _date, 'transfer-encoding': _framing, ...compared } = headers as Record<string, string>;
        // The log may go on between the two requests.
        if ('x-cursor' in compared) compared['x-cursor'] = 'of the moment';
        return { status, headers: compared };
      };
      expect([accept, await read('head')]).toEqual([accept, await read('get')]);
    }
  });
});

describe('/problems', () => {
  it.each(Object.keys(problemCodes))('explains %s', async (code) => {
    const { text } = await open(`/problems/${code}`).expect(200);
    expect(text).toContain(problemCodes[code as keyof typeof problemCodes].title);
    expect(text).not.toMatch(/undefined|\]\(/);
  });

  it('lists the codes, and knows no other', async () => {
    const { body } = await request(api.publicUrl).get('/problems').expect(200);
    expect(body.items).toHaveLength(Object.keys(problemCodes).length);
    await request(api.publicUrl).get('/problems/constructor').expect(404);
  });
});
