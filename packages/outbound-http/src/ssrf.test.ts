import {
  certificateFor,
  fakeResolver,
  type LoopbackServer,
  loopbackConnector,
  noConnector,
  serve,
} from '../test/network.ts';
import { createOutbound } from './index.ts';

const PUBLIC = '93.184.215.14';
const platformUrl = 'https://platform.example';
const get = (url: string) => ({ method: 'GET', url }) as const;

let certificate: Awaited<ReturnType<typeof certificateFor>>;
let server: LoopbackServer;
let hosts: (string | undefined)[];

beforeAll(async () => {
  certificate = await certificateFor('issuer.example');
  server = await serve((request, response) => {
    hosts.push(request.headers.host);
    response.end(JSON.stringify({ path: request.url }));
  }, certificate);
});

beforeEach(() => {
  hosts = [];
});

afterAll(() => server.close());

describe('the address of an outbound request', () => {
  it('connects to exactly the checked address, with name, host header and certificate of the URL', async () => {
    const connector = loopbackConnector(server.port, certificate.cert);
    const resolver = fakeResolver({ 'issuer.example': [[PUBLIC]] });
    const outbound = createOutbound({ allowInsecureOrigins: [], platformUrl, resolver, connector });
    expect(await outbound.getJson('https://issuer.example/keys?x=1')).toEqual({ path: '/keys?x=1' });
    expect(connector.plans).toMatchObject([
      { address: PUBLIC, port: 443, hostname: 'issuer.example', secure: true },
    ]);
    expect(hosts).toEqual(['issuer.example']);
  });

  it.each(['127.0.0.1', '10.1.2.3', '169.254.169.254', '::1', 'fd00:ec2::254', '::ffff:10.0.0.1'])(
    'refuses a name that resolves to %s without dialling',
    async (address) => {
      const resolver = fakeResolver({ 'issuer.example': [[address]] });
      const outbound = createOutbound({
        allowInsecureOrigins: [],
        platformUrl,
        resolver,
        connector: noConnector,
      });
      await expect(outbound.request(get('https://issuer.example/'))).rejects.toMatchObject({
        name: 'OutboundRefusedError',
        reason: 'refused_address',
      });
    },
  );

  it('refuses a name when only one of its addresses is private', async () => {
    const resolver = fakeResolver({ 'issuer.example': [[PUBLIC, '10.0.0.1']] });
    const outbound = createOutbound({
      allowInsecureOrigins: [],
      platformUrl,
      resolver,
      connector: noConnector,
    });
    await expect(outbound.request(get('https://issuer.example/'))).rejects.toMatchObject({
      reason: 'refused_address',
    });
  });

  it('resolves once, so that DNS rebinding after the check has no effect', async () => {
    const resolver = fakeResolver({ 'issuer.example': [[PUBLIC], ['127.0.0.1']] });
    const connector = loopbackConnector(server.port, certificate.cert);
    const outbound = createOutbound({ allowInsecureOrigins: [], platformUrl, resolver, connector });
    await outbound.request(get('https://issuer.example/'));
    expect(resolver.asked).toEqual(['issuer.example']);
    expect(connector.plans.map((plan) => plan.address)).toEqual([PUBLIC]);
    await expect(outbound.request(get('https://issuer.example/'))).rejects.toMatchObject({
      reason: 'refused_address',
    });
  });

  it('tries the next checked address when the first does not answer', async () => {
    const connector = loopbackConnector(server.port, certificate.cert);
    const outbound = createOutbound({
      allowInsecureOrigins: [],
      platformUrl,
      resolver: fakeResolver({ 'issuer.example': [['1.1.1.1', PUBLIC]] }),
      connector: {
        connect: (plan) =>
          plan.address === PUBLIC ? connector.connect(plan) : Promise.reject(new Error('refused')),
      },
    });
    expect((await outbound.request(get('https://issuer.example/'))).status).toBe(200);
  });

  it('leaves time for the next checked address when the first is silent', async () => {
    const connector = loopbackConnector(server.port, certificate.cert);
    const outbound = createOutbound({
      allowInsecureOrigins: [],
      platformUrl,
      timeoutMs: 6_000,
      resolver: fakeResolver({ 'issuer.example': [['1.1.1.1', PUBLIC]] }),
      connector: {
        connect: (plan) =>
          plan.address === PUBLIC
            ? connector.connect(plan)
            : new Promise((_resolve, reject) => {
                plan.signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true });
              }),
      },
    });
    expect((await outbound.request(get('https://issuer.example/'))).status).toBe(200);
  });

  it('refuses a certificate of an untrusted authority', async () => {
    const resolver = fakeResolver({ 'issuer.example': [[PUBLIC]] });
    const connector = loopbackConnector(server.port);
    const outbound = createOutbound({ allowInsecureOrigins: [], platformUrl, resolver, connector });
    await expect(outbound.request(get('https://issuer.example/'))).rejects.toMatchObject({
      reason: 'bad_tls',
      message: 'the TLS connection to https://issuer.example failed: DEPTH_ZERO_SELF_SIGNED_CERT',
    });
    expect(hosts).toEqual([]);
  });

  it('refuses a certificate for another name', async () => {
    const resolver = fakeResolver({ 'other.example': [[PUBLIC]] });
    const connector = loopbackConnector(server.port, certificate.cert);
    const outbound = createOutbound({ allowInsecureOrigins: [], platformUrl, resolver, connector });
    await expect(outbound.request(get('https://other.example/'))).rejects.toMatchObject({
      reason: 'bad_tls',
    });
    expect(hosts).toEqual([]);
  });

  it('allows http and private addresses only for exempt origins', async () => {
    const plain = await serve((_request, response) => response.end('{}'));
    const origin = `http://127.0.0.1:${plain.port}`;
    const outbound = createOutbound({ allowInsecureOrigins: [origin], platformUrl });
    expect(await outbound.getJson(`${origin}/keys`)).toEqual({});
    await plain.close();
  });

  it('reaches an exempt origin by a name with several addresses, of which one listens', async () => {
    const plain = await serve((_request, response) => response.end('{}'));
    const origin = `http://localhost:${plain.port}`;
    const outbound = createOutbound({ allowInsecureOrigins: [origin], platformUrl });
    expect(await outbound.getJson(origin)).toEqual({});
    await plain.close();
  });

  it('calls the platform itself only when its origin is exempt', async () => {
    const plain = await serve((_request, response) => response.end('{}'));
    const origin = `http://127.0.0.1:${plain.port}`;
    const outbound = createOutbound({ allowInsecureOrigins: [origin], platformUrl: origin });
    expect(await outbound.getJson(origin)).toEqual({});
    await plain.close();
  });

  it('recognizes localhost without a DNS query', async () => {
    const outbound = createOutbound({ allowInsecureOrigins: [], platformUrl, connector: noConnector });
    for (const url of ['https://localhost/', 'https://localhost./', 'https://a.localhost/']) {
      await expect(outbound.request(get(url))).rejects.toMatchObject({ reason: 'refused_address' });
    }
  });
});
