import request from 'supertest';
import { WholeApi } from './whole-api.ts';

const api = new WholeApi();
const organizations = '/api/v1/resources/platform.dev/v1alpha1/organizations';
const mebibyte = 1024 * 1024;
const count = 20;

const as = (method: 'get' | 'post' | 'put', path: string) =>
  request(api.publicUrl)
    [method](path)
    .set('Authorization', `Bearer ${api.session('operator')}`);

beforeAll(async () => {
  for (let index = 10; index < 10 + count; index += 1) {
    const body = {
      apiVersion: 'platform.dev/v1alpha1',
      kind: 'Organization',
      metadata: { name: `large-${index}` },
      spec: { text: 'x'.repeat(1_000_000) },
    };
    const made = await as('post', organizations).send(body);
    expect([made.status, made.text.slice(0, 500)]).toEqual([201, expect.any(String)]);
  }
}, 60_000);

it.each([100, 500])('a page of at most %d items has at most 16 MiB, and says how to go on', async (limit) => {
  const found: string[] = [];
  let next: string | undefined;
  do {
    const query = next === undefined ? '' : `&continue=${encodeURIComponent(next)}`;
    const { text } = await as('get', `${organizations}?limit=${limit}${query}`).expect(200);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(16 * mebibyte);
    const page = JSON.parse(text);
    for (const item of page.items) found.push(item.metadata.name);
    next = page.metadata?.continue ?? page.continue;
  } while (next !== undefined && next !== null && next !== '');
  expect(found.filter((name) => name.startsWith('large-'))).toHaveLength(count);
  expect(new Set(found).size).toBe(found.length);
});

it('a page of projects has at most 16 MiB, whatever its limit, and says how to go on', async () => {
  const projects = '/api/v1/projects';
  const admin = (method: 'get' | 'post', path: string) => api.as('admin', method, path);
  const names = Array.from({ length: 60 }, (_, index) => `wide-${100 + index}`);
  for (const name of names) {
    const members = Array.from(
      { length: 1000 },
      (_, index) => `${name}-${index}${'x'.repeat(280)}@example.dev`,
    );
    await admin('post', projects).send({ name, members }).expect(201);
  }
  const first = await admin('get', `${projects}?limit=1000`).expect(200);
  expect(Buffer.byteLength(first.text)).toBeLessThanOrEqual(16 * mebibyte);
  expect(first.body.items.length).toBeGreaterThan(50);
  const second = await admin('get', `${projects}?limit=1000&continue=${first.body.continue}`).expect(200);
  const found = [...first.body.items, ...second.body.items].map(({ name }: { name: string }) => name);
  expect(found).toEqual(names);
  expect(second.body).not.toHaveProperty('continue');
  // Their records have all members.
  const records = await as('get', '/api/v1/audit?action=project.created&limit=1000').expect(200);
  expect(Buffer.byteLength(records.text)).toBeLessThanOrEqual(16 * mebibyte);
  expect(records.body.continue).toEqual(expect.any(String));
}, 60_000);

it('a search has at most 16 MiB, and says that there is more', async () => {
  const { text } = await as('get', '/api/v1/search?q=large&limit=1000').expect(200);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(16 * mebibyte);
  const { items, complete } = JSON.parse(text);
  expect(complete).toBe(false);
  expect(items.length).toBeGreaterThan(10);
  const few = JSON.parse((await as('get', '/api/v1/search?q=large&limit=10').expect(200)).text);
  expect([few.items.length, few.complete]).toEqual([10, undefined]);
});

it('refuses a status slot of more than 256 KiB', async () => {
  const status = (bytes: number) =>
    as('put', `${organizations}/large-10/status?slot=mine`).send({ status: 'x'.repeat(bytes - 2) });
  await status(256 * 1024).expect(200);
  const refused = await status(256 * 1024 + 1).expect(413);
  expect(refused.body.code).toBe('payload_too_large');
});

it('refuses a status of more than 1 MiB, all slots together, and still lets it shrink', async () => {
  const write = (slot: string, bytes: number) =>
    as('put', `${organizations}/large-11/status?slot=${slot}`).send({ status: 'x'.repeat(bytes - 2) });
  for (const slot of ['a', 'b', 'c', 'd']) await write(slot, 256 * 1024 - 64).expect(200);
  const refused = await write('e', 1_024).expect(413);
  expect(refused.body).toMatchObject({
    code: 'payload_too_large',
    detail: expect.stringContaining('all slots'),
  });
  const { body } = await as('get', `${organizations}/large-11`).expect(200);
  expect(Object.keys(body.status.controllers)).toEqual(['a', 'b', 'c', 'd']);
  await write('a', 1_024).expect(200);
  await write('e', 1_024).expect(200);
});
