import { type Json, onEveryStore } from './api.ts';
import { register, resource, v1 } from './kinds.ts';
import { rawRequest, sendRaw } from './raw.ts';

onEveryStore((api) => {
  const farms = `/api/v1/resources/${v1}/farms`;
  let made = 0;

  beforeAll(() => register(api, 'Farm'));

  function post(
    text: string | Buffer,
    headers: Record<string, string> = { 'Content-Type': 'application/json' },
  ): Json {
    return api.send('POST', farms).set(headers).send(text);
  }

  function farm(spec: string, annotations = '{}'): string {
    made += 1;
    return `{"apiVersion":"${v1}","kind":"Farm","metadata":{"name":"f${made}","annotations":${annotations}},"spec":${spec}}`;
  }

  describe('the content type', () => {
    it.each([
      'application/json',
      'application/json; charset=utf-8',
      'application/json;charset="UTF-8"',
      'Application/JSON',
    ])('may be %s', async (type) => {
      await post(farm('{}'), { 'Content-Type': type }).expect(201);
    });

    it.each([
      'text/plain',
      'application/json; charset=latin1',
      'application/x-www-form-urlencoded',
      'application/jsonx',
      'application/merge-patch+json',
    ])('is 415 as %s', async (type) => {
      const answer = await post(farm('{}'), { 'Content-Type': type }).expect(415);
      expect(answer.body.code).toBe('unsupported_media_type');
    });

    it('is 415 for a body without one', async () => {
      const body = farm('{}');
      const answer = await sendRaw(api, rawRequest('POST', farms, [`Content-Length: ${body.length}`]), body);
      expect(answer.status).toBe(415);
    });

    it('is 415 with a content coding, which could unfold to any size', async () => {
      await post(farm('{}'), { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }).expect(415);
    });
  });

  describe('a body', () => {
    const limit = 65_536;

    function padded(size: number): string {
      const text = farm('{"pad":""}');
      return text.replace('"pad":""', `"pad":"${'x'.repeat(size - text.length)}"`);
    }

    it('may have as many bytes as the limit', async () => {
      await post(padded(limit)).expect(201);
    });

    it('is 413 with one byte more', async () => {
      const answer = await post(padded(limit + 1)).expect(413);
      expect(answer.body.code).toBe('payload_too_large');
      expect(answer.headers['connection']).toBe('close');
    });

    it('is 413 when it is much larger, and the client can read the answer', async () => {
      await post(padded(limit * 40)).expect(413);
    });

    it('is 413 in chunks as soon as the limit is passed', async () => {
      const head = rawRequest('POST', farms, [
        'Content-Type: application/json',
        'Transfer-Encoding: chunked',
      ]);
      const chunk = `8000\r\n${'x'.repeat(0x8000)}\r\n`;
      const answer = await sendRaw(api, head, chunk, chunk, chunk, '0\r\n\r\n');
      expect(answer.status).toBe(413);
      expect(answer.head).toContain('Connection: close');
      expect(JSON.parse(answer.body)).toMatchObject({ code: 'payload_too_large' });
    });

    it('is 413 by its declared length, before a byte of it has come', async () => {
      const answer = await sendRaw(
        api,
        rawRequest('POST', farms, ['Content-Type: application/json', 'Content-Length: 99999999']),
        'x',
      );
      expect(answer.status).toBe(413);
    }, 10_000);

    it('is 413 to a client that would keep the connection, which is closed', async () => {
      const headers = ['Content-Type: application/json', 'Content-Length: 300000'];
      const head = rawRequest('POST', farms, headers).replace('Connection: close\r\n', '');
      const answer = await sendRaw(api, head, 'x'.repeat(300_000));
      expect(answer.status).toBe(413);
      expect(answer.head).toContain('Connection: close');
    });

    it('counts bytes, not characters', async () => {
      const text = padded(limit - 1)
        .replace('x', 'é')
        .replace('x', 'é');
      await post(text).expect(413);
    });

    it.each([
      ['nothing', ''],
      ['no JSON', '{'],
      ['JSON and more', '{} {}'],
      ['a byte order mark', `\ufeff{}`],
      ['a comment', '{/* */}'],
      ['NaN', '{"spec":NaN}'],
      ['a key twice', '{"kind":"Farm","kind":"Farm"}'],
      ['a key twice inside', farm('{"a":{"b":1,"b":2}}')],
      ['a key twice, once escaped', farm('{"ab":1,"\\u0061b":2}')],
      ['an escaped NUL', farm('{"a":"\\u0000"}')],
      ['an escaped NUL in a key', farm('{"\\u0000":1}')],
      ['a lone surrogate', farm('{"a":"\\ud800"}')],
      ['a lone low surrogate', farm('{"a":"\\udc00x"}')],
      ['nesting beyond the limit', farm(`${'{"a":'.repeat(64)}{}${'}'.repeat(64)}`)],
    ])('is 400 with %s', async (_name, text) => {
      const answer = await post(text).expect(400);
      expect(answer.body.code).toBe('malformed_body');
    });

    it('is 400 with bytes that are no UTF-8', async () => {
      const bytes = Buffer.from(farm('{"a":"\xff"}'), 'latin1');
      const head = rawRequest('POST', farms, [
        'Content-Type: application/json',
        `Content-Length: ${bytes.length}`,
      ]);
      const answer = await sendRaw(api, head, bytes);
      expect(answer.status).toBe(400);
      expect(JSON.parse(answer.body)).toMatchObject({ code: 'malformed_body' });
    });

    it('may nest as deep as the limit', async () => {
      await post(farm(`${'{"a":'.repeat(63)}{}${'}'.repeat(63)}`)).expect(201);
    });

    it.each([['null'], ['[]'], ['"x"'], ['1'], ['true']])('is 400 as %s', async (text) => {
      const answer = await post(text).expect(400);
      expect(answer.body.code).toBe('validation_failed');
    });

    it('leaves nothing behind when its client goes away in the middle', async () => {
      const head = rawRequest('POST', farms, ['Content-Type: application/json', 'Content-Length: 1000']);
      const { connect } = await import('node:net');
      const socket = connect(api.port, '127.0.0.1', () =>
        socket.write(`${head}{"apiVersion":`, () => socket.destroy()),
      );
      await new Promise((resolve) => socket.once('close', resolve));
      const before = api.log.lines.filter(({ level }) => level === 'error').length;
      await post(farm('{}')).expect(201);
      expect(api.log.lines.filter(({ level }) => level === 'error')).toHaveLength(before);
    });

    it('is asked for with 100 Continue, once the caller was let in', async () => {
      const body = farm('{}');
      const headers = [
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
        'Expect: 100-continue',
      ];
      const answer = await sendRaw(api, rawRequest('POST', farms, headers), body);
      expect(answer.status).toBe(100);
      expect(answer.body).toContain('HTTP/1.1 201');
      const refused = rawRequest('POST', farms, headers).replace('Bearer operator', 'Bearer user');
      expect((await sendRaw(api, refused)).status).toBe(403);
    });
  });

  describe('a document', () => {
    it.each([
      ['integers beyond 2^53', '{"n":9007199254740993,"m":-123456789012345678901234567890}'],
      ['decimals as written', '{"price":1.10,"tiny":1e-400,"huge":1e400,"zero":-0}'],
      [
        'keys that mean something to JavaScript',
        '{"__proto__":{"a":1},"constructor":{"prototype":2},"toString":3}',
      ],
      ['empty things', '{"a":{},"b":[],"c":"","d":null,"":0}'],
      ['characters beyond the basic plane', '{"😀":"é\u2028𝒳"}'],
      ['escapes', '{"a":"\\u00e9\\n\\"\\\\\\/"}'],
    ])('comes back as it was sent: %s', async (_name, spec) => {
      const created = await post(farm(spec)).expect(201);
      expect(created.text).toContain(`"spec":${spec},"status"`);
      const { name } = created.body.metadata;
      expect((await api.get(`${v1}/farms/${name}`)).text).toContain(`"spec":${spec},"status"`);
      expect((await api.get(`${v1}/farms?limit=1000`)).text).toContain(`"spec":${spec},"status"`);
    });

    it('keeps annotations and status as they were sent, too', async () => {
      const annotations = '{"__proto__":"x","b":"2","a":"\\u0031"}';
      const created = await post(farm('{}', annotations)).expect(201);
      expect(created.text).toContain(`"annotations":${annotations}`);
      const { name } = created.body.metadata;
      const status = '{"__proto__":1.10,"n":9007199254740993}';
      const written = await api.put(`${v1}/farms/${name}/status`, `{"status":${status}}`).expect(200);
      expect(written.text).toContain(`"operator:Op@Example.dev":${status}`);
    });

    it('may have a spec and nothing else of its own', async () => {
      await api.post(`${v1}/farms`, resource('Farm', 'plain')).expect(201);
    });
  });
});
