import { createClient, type PlatformClient } from 'platform-service-client';
import { otherVersion, version } from './version.ts';

const { signal } = new AbortController();

/** A client of a service that answers `/downloads` like this. */
function serving(status: number, items: readonly object[]): PlatformClient {
  return createClient({
    baseUrl: 'http://platform.example',
    token: 'none',
    fetch: async () => new Response(JSON.stringify({ items }), { status }),
  });
}

const own = (served: string) => ({
  name: 'platform-service-cli',
  version: served,
  url: 'http://platform.example/downloads/cli.tgz',
});

describe('a command line of another version than the service', () => {
  it('is told how to install that of the service', async () => {
    expect(await otherVersion(serving(200, [own('99.0.0')]), signal)).toBe(
      `platform: this is version ${version}, the service has 99.0.0; npm install --global http://platform.example/downloads/cli.tgz`,
    );
  });

  it.each([
    ['the versions are the same', 200, [own(version)]],
    ['the service offers no command line', 200, []],
    ['the service is too old to offer one', 404, []],
  ])('is told nothing when %s', async (_, status, items) => {
    expect(await otherVersion(serving(status, items), signal)).toBeNull();
  });
});
