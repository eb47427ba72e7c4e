import { fakeResolver, noConnector } from '../test/network.ts';
import { createOutbound } from './index.ts';

const resolver = fakeResolver({ 'issuer.example': [['93.184.215.14']] });

function reasonFor(url: string, allowInsecureOrigins: readonly string[] = []): Promise<unknown> {
  const outbound = createOutbound({
    allowInsecureOrigins,
    platformUrl: 'https://platform.example',
    resolver,
    connector: noConnector,
  });
  return outbound.request({ method: 'GET', url }).then(
    () => 'answered',
    (error: unknown) => (error as { reason?: unknown }).reason,
  );
}

describe('the URL of an outbound request', () => {
  it.each([
    ['not a URL', 'bad_url'],
    ['https://', 'bad_url'],
    ['https://[::1', 'bad_url'],
    ['http://issuer.example/', 'not_https'],
    ['ftp://issuer.example/', 'not_https'],
    ['file:///etc/passwd', 'not_https'],
    ['data:application/json,{}', 'not_https'],
    ['unix:///var/run/docker.sock', 'not_https'],
    ['https://user:secret@issuer.example/', 'credentials_in_url'],
    ['https://issuer.example@attacker.example/', 'credentials_in_url'],
    ['https://platform.example/api/v1/auth/jwks', 'platform_itself'],
    ['https://PLATFORM.example:443/', 'platform_itself'],
    ['https://platform.example./', 'platform_itself'],
  ])('refuses %s as %s', async (url, reason) => {
    expect(await reasonFor(url)).toBe(reason);
  });

  it.each([
    'https://127.0.0.1/',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0177.0.0.1/',
    'https://[::1]/',
    'https://[::ffff:7f00:1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://169.254.169.254/latest/meta-data/',
    'https://\u2460\u2461\u2466.0.0.1/',
    'https://0/',
  ])('refuses the address written as %s', async (url) => {
    expect(await reasonFor(url)).toBe('refused_address');
  });

  it('does not let an exempt origin open another port, scheme or host', async () => {
    const exempt = ['http://dev.example:9000'];
    expect(await reasonFor('http://dev.example:9001/', exempt)).toBe('not_https');
    expect(await reasonFor('http://sub.dev.example:9000/', exempt)).toBe('not_https');
    expect(await reasonFor('https://127.0.0.1:9000/', exempt)).toBe('refused_address');
  });

  it('names no path, query or credentials in the message', async () => {
    const outbound = createOutbound({
      allowInsecureOrigins: [],
      platformUrl: 'https://platform.example',
      resolver,
    });
    const url = 'http://user:hunter2@issuer.example/path?token=hunter2';
    await expect(outbound.request({ method: 'GET', url })).rejects.toThrow(/^(?!.*hunter2)(?!.*path)/);
  });
});
