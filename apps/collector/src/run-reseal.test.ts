import type { Config } from '@platform/config';
import { createSealer } from '@platform/crypto';
import { testDatabase } from '@platform/development/testing';
import { migrate } from '@platform/store-postgres';
import { runReseal } from './run-reseal.ts';
import { wireReseal } from './wire.ts';

const database = testDatabase({ migrate: (url) => migrate({ url }) });
const key = (id: string, fill: number) => ({ id, key: Buffer.alloc(32, fill).toString('base64') });
const [k1, k2] = [key('k1', 1), key('k2', 2)];

async function resealing(args: readonly string[], keys: readonly object[]) {
  const { reseal, close } = wireReseal({ database: { url: database.url }, encryption: { keys } } as Config);
  let out = '';
  const stream = { write: (text: string) => (out += text) };
  const code = await runReseal(reseal, args, { stdout: stream, stderr: stream });
  await close();
  return { code, out };
}

it('seals what is stored with the first key, as the command line does', async () => {
  const sealed = createSealer([k1]).seal('grant', { purpose: 'login_code' });
  await database.sql`insert into login_once (hash, sealed, expires_at)
    values (${'a'.repeat(64)}, ${sealed}, now() + interval '1 hour')`;
  expect(await resealing(['--now'], [k2, k1])).toEqual({ code: 2, out: 'usage: reseal [--dry-run]\n' });
  expect((await resealing([], [k2])).code).toBe(1);
  const line = (counts: object) => `${JSON.stringify({ kind: 'login codes', ...counts })}\n`;
  const dry = await resealing(['--dry-run'], [k2, k1]);
  expect(dry.out).toContain(line({ current: 0, resealed: 1, changed: 0, unreadable: 0 }));
  expect((await resealing([], [k2, k1])).code).toBe(0);
  const after = await resealing([], [k2]);
  expect(after.out).toContain(line({ current: 1, resealed: 0, changed: 0, unreadable: 0 }));
});
