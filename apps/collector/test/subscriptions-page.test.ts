import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@platform/development/testing';
import { Webhook } from 'standardwebhooks';
import { secret } from './delivery-fixture.ts';

const root = join(import.meta.dirname, '../../..');
// Below the package, so that the example finds its library.
const folder = join(import.meta.dirname, '../node_modules/.cache');
const file = join(folder, `receiver-${process.pid}.mjs`);

describe('the receiver of docs/subscriptions.md', () => {
  let receiver: ChildProcess;
  let url: string;

  beforeAll(async () => {
    const page = readFileSync(join(root, 'docs/subscriptions.md'), 'utf8');
    const [, example = ''] = /```ts\n([\s\S]*?)```/.exec(page) ?? [];
    const port = await freePort();
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, example.replace('listen(8000', `listen(${port}`));
    receiver = spawn(process.execPath, [file], {
      env: { WEBHOOK_SECRET: secret },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    url = `http://127.0.0.1:${port}`;
    while (!(await fetch(url).catch(() => null)));
  });

  afterAll(async () => {
    const ended = once(receiver, 'exit');
    receiver.kill();
    await ended;
    rmSync(file);
  });

  async function post(body: string, signedWith: string): Promise<number> {
    const at = new Date();
    const headers = {
      'webhook-id': 'uid-3',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': new Webhook(signedWith).sign('uid-3', at, body),
    };
    const { status } = await fetch(url, { method: 'POST', body, headers });
    return status;
  }

  it('takes an event with a valid signature, and refuses others', async () => {
    const printed = once(receiver.stdout as NodeJS.ReadableStream, 'data');
    const event = {
      type: 'dev.platform.resource.update',
      sequence: '0000000000000003',
      data: { object: { metadata: { name: 'emma' } } },
    };
    expect(await post(JSON.stringify(event), secret)).toBe(204);
    expect(String((await printed)[0])).toBe('dev.platform.resource.update emma 0000000000000003\n');
    const other = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
    expect(await post(JSON.stringify(event), other)).toBe(400);
  });
});
