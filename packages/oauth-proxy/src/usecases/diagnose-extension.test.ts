import { Fixture } from '../../test/fixture.ts';
import type { CheckName } from '../model/diagnosis.ts';
import { type Discovery, UpstreamFault } from '../ports/upstream.ts';
import { diagnoseExtension } from './diagnose-extension.ts';

async function examine(prepare: (fixture: Fixture) => void = () => undefined) {
  const fixture = new Fixture();
  fixture.upstream.publishedKeys = [{ kty: 'RSA', use: 'sig' }];
  prepare(fixture);
  const diagnosis = await diagnoseExtension(fixture.ports, fixture.extension);
  return { ...diagnosis, of: (name: CheckName) => diagnosis.checks.find((check) => check.name === name) };
}

const changed = (
  fixture: Fixture,
  changes: Partial<Discovery['metadata']>,
  clockSkewMs: number | null = 0,
) => {
  const { metadata } = fixture.upstream.discovery as Discovery;
  fixture.upstream.discovery = { metadata: { ...metadata, ...changes }, clockSkewMs };
};

describe('diagnoseExtension', () => {
  it('finds a good extension healthy, and says what to register', async () => {
    const { healthy, checks, of } = await examine();
    expect(healthy).toBe(true);
    expect(checks.filter((check) => check.result !== 'ok').map((check) => check.name)).toEqual([
      'callback_url',
    ]);
    expect(of('callback_url')?.detail).toContain('https://platform.example/oidc/shop/login/callback');
  });

  it.each<[string, CheckName, (fixture: Fixture) => void]>([
    [
      'discovery cannot be fetched',
      'discovery',
      (fixture) => {
        fixture.upstream.discovery = new UpstreamFault('timeout', 'no answer');
      },
    ],
    [
      'the issuer is another',
      'issuer',
      (fixture) => {
        fixture.upstream.discovery = new UpstreamFault(
          'issuer_mismatch',
          'the discovery document names another issuer',
        );
      },
    ],
    [
      'an endpoint is in neither place',
      'endpoints',
      (fixture) => {
        fixture.upstream.discovery = { metadata: { issuer: 'https://idp.example' }, clockSkewMs: null };
      },
    ],
    [
      'the keys are of no use',
      'keys',
      (fixture) => {
        fixture.upstream.publishedKeys = [{ kty: 'oct' }, { kty: 'RSA', use: 'enc' }];
      },
    ],
    // Attack: converting this value to text throws.
    [
      'the kind of a key is no text',
      'keys',
      (fixture) => {
        fixture.upstream.publishedKeys = [{ kty: { toString: 1 } }];
      },
    ],
    [
      'the secret of the provider cannot be opened',
      'client_secret',
      (fixture) => {
        fixture.extension = { ...fixture.extension, sealedUpstreamSecret: 'x' };
      },
    ],
    [
      'the secret of the app cannot be opened',
      'client_secret',
      (fixture) => {
        fixture.extension = { ...fixture.extension, clientSecrets: [] };
      },
    ],
    ['the clocks differ by 31 seconds', 'clock', (fixture) => changed(fixture, {}, -31_000)],
  ])('fails and tells the remedy when %s', async (_what, name, prepare) => {
    const { healthy, of } = await examine(prepare);
    expect(healthy).toBe(false);
    expect(of(name)).toMatchObject({ result: 'failed', remedy: expect.any(String) });
  });

  it('warns of a provider that takes no secret', async () => {
    const { healthy, of } = await examine((fixture) =>
      changed(fixture, { token_endpoint_auth_methods_supported: ['private_key_jwt'] }),
    );
    expect(healthy).toBe(true);
    expect(of('client_authentication')).toMatchObject({ result: 'warning', remedy: expect.any(String) });
  });

  it('does not hold missing discovery against a provider that the spec describes', async () => {
    const { healthy } = await examine((fixture) => {
      fixture.upstream.discovery = new UpstreamFault('bad_status', 'discovery answered with status 404');
      const spec = {
        authorization_endpoint: 'https://hub.example/a',
        token_endpoint: 'https://hub.example/t',
      };
      fixture.extension = { ...fixture.extension, spec: { ...fixture.extension.spec, ...spec } };
    });
    expect(healthy).toBe(true);
  });

  // A provider that has lost its keys looks healthy for an hour by the cached ones.
  it('looks at the keys that the provider publishes now', async () => {
    let upstream: Fixture['upstream'] | undefined;
    await examine((fixture) => {
      upstream = fixture.upstream;
    });
    expect(upstream?.last('keys')).toEqual({ fresh: true });
  });

  it('says nothing secret', async () => {
    const { checks } = await examine();
    expect(JSON.stringify(checks)).not.toContain('upstream secret');
  });
});
