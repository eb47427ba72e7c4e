import { FakeTimers, settled } from '@platform/development/testing';
import { createClient } from '../client.ts';

const kind = { group: 'example.dev', version: 'v1', plural: 'widgets' };

/** A client whose server sends what the test writes. */
function streaming(status = 200) {
  const timers = new FakeTimers();
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const urls: string[] = [];
  const headers: Headers[] = [];
  const aborted: boolean[] = [];
  const fetched = async (url: string | URL | Request, init: RequestInit = {}) => {
    urls.push(String(url));
    headers.push(new Headers(init.headers));
    const body = new ReadableStream<Uint8Array>({
      start: (given) => {
        controller = given;
        init.signal?.addEventListener('abort', () => {
          aborted.push(true);
          try {
            given.error(init.signal?.reason);
          } catch {}
        });
      },
    });
    return new Response(body, { status });
  };
  const client = createClient({
    baseUrl: 'http://platform.test',
    token: 't',
    timers,
    fetch: fetched as typeof fetch,
  });
  return {
    timers,
    urls,
    headers,
    aborted,
    widgets: client.resources(kind),
    send: (text: string | Uint8Array) =>
      controller?.enqueue(typeof text === 'string' ? new TextEncoder().encode(text) : text),
    end: () => controller?.close(),
  };
}

const bookmark = (cursor: string) => `{"type":"BOOKMARK","cursor":"${cursor}"}\n`;

describe('a stream', () => {
  it('is read line by line, however it is cut into pieces', async () => {
    const { widgets, send, end, urls, headers } = streaming();
    const read: unknown[] = [];
    const done = (async () => {
      for await (const event of widgets.watch({ cursor: 'a b' })) read.push(event);
    })();
    await settled();
    const bytes = new TextEncoder().encode(`${bookmark('ä')}${bookmark('2')}\n`);
    for (const byte of bytes) send(Uint8Array.of(byte));
    end();
    await done;
    expect(read).toEqual([
      { type: 'BOOKMARK', cursor: 'ä' },
      { type: 'BOOKMARK', cursor: '2' },
    ]);
    expect(urls).toEqual([
      'http://platform.test/api/v1/resources/example.dev/v1/widgets?watch=true&cursor=a+b',
    ]);
    expect(headers[0]?.get('accept')).toBe('application/x-ndjson');
  });

  it('fails with the problem of its last event', async () => {
    const { widgets, send } = streaming();
    const read = (async () => {
      for await (const _ of widgets.watch()) {
      }
    })();
    await settled();
    send('{"type":"ERROR","problem":{"status":403,"code":"forbidden","detail":"no"}}\n');
    await expect(read).rejects.toMatchObject({ status: 403, code: 'forbidden' });
  });

  it('fails when nothing arrives for too long, and not before', async () => {
    const { widgets, send, timers } = streaming();
    const read = (async () => {
      for await (const _ of widgets.watch({ silenceMs: 1_000 })) {
      }
    })();
    read.catch(() => undefined);
    await settled();
    await timers.advance(900);
    send(bookmark('1'));
    await timers.advance(900);
    await timers.advance(200);
    await expect(read).rejects.toMatchObject({ code: 'timeout' });
  });

  it('ends the request when its reader stops', async () => {
    const { widgets, send, aborted, timers } = streaming();
    const read = (async () => {
      for await (const _ of widgets.watch()) break;
    })();
    await settled();
    send(bookmark('1'));
    await read;
    expect([aborted, timers.waiting]).toEqual([[true], 0]);
  });
});
