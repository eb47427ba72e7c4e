import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cwd, faultsOf, load, notGiven } from '../test/configuration.ts';
import { generatedEnvironment } from './index.ts';

describe('generated secrets', () => {
  it('are kept for the owner only and found again by the next start', () => {
    rmSync(join(cwd, '.platform'), { recursive: true });
    const first = load(undefined, notGiven);
    expect(statSync(join(cwd, '.platform', 'secrets.yaml')).mode & 0o777).toBe(0o600);
    const second = load(undefined, notGiven);
    expect(second.server.jwt_signing_secrets).toEqual(first.server.jwt_signing_secrets);
    expect(second.server.rs256_private_key_pem).toBe(first.server.rs256_private_key_pem);
    expect(second.encryption).toEqual(first.encryption);
    expect(first.warnings).toEqual([]);
  });

  // `recursive` of Node.js 20 would try to create it without end.
  it('name the setting when their directory cannot be created', () => {
    expect(faultsOf(undefined, { ...notGiven, PLATFORM__DATABASE__DATA_DIR: '/proc/data/below' })).toEqual([
      expect.stringMatching(/^database\.data_dir: cannot be created: ENOENT: .*, mkdir '\/proc\/data'/),
    ]);
  });

  it.each(['file', 'file/below'])('name the setting when their directory is %s', (path) => {
    writeFileSync(join(cwd, 'file'), '');
    expect(faultsOf(undefined, { ...notGiven, PLATFORM__DATABASE__DATA_DIR: join(cwd, path) })).toEqual([
      expect.stringMatching(/^database\.data_dir: cannot be created: E\w+: .*, mkdir '.*\/file/),
    ]);
  });

  it('with a file: a new RS256 pair at each start, with a warning, and the rest kept', () => {
    const [first, second] = [load({}, notGiven), load({}, notGiven)];
    expect(second.server.jwt_signing_secrets).toEqual(first.server.jwt_signing_secrets);
    expect(second.server.rs256_private_key_pem).not.toBe(first.server.rs256_private_key_pem);
    expect(first.warnings).toEqual([expect.stringMatching(/^server\.rs256_private_key_pem: not configured/)]);
  });

  it('reach child processes unchanged', () => {
    const parent = load({}, notGiven);
    const child = load({}, generatedEnvironment(parent));
    expect(child.server).toEqual(parent.server);
    expect(child.encryption).toEqual(parent.encryption);
    expect(child.origin.generated).toEqual([]);
  });

  it('are refused in production with an external database, where replicas could not share them', () => {
    const file = { database: { url: 'postgres://db/platform' } };
    const server = { PLATFORM__SERVER__PUBLIC_URL: 'https://platform.example.com' };
    expect(faultsOf(file, { ...server, NODE_ENV: 'production' })).toEqual([
      'server.jwt_signing_secret: is required in production with an external database',
      'encryption.keys: is required in production with an external database',
    ]);
    expect(load(file, notGiven).warnings).toHaveLength(3);
  });

  it('are not needed with a list of signing secrets', () => {
    const secrets = [1, 2].map((fill) => Buffer.alloc(32, fill).toString('base64'));
    const config = load({ server: { jwt_signing_secrets: secrets } }, notGiven);
    expect(config.server.jwt_signing_secrets).toEqual(secrets);
    expect(config.origin.generated).not.toContain('server.jwt_signing_secret');
  });

  it('stop the start when their file is damaged, rather than being replaced', () => {
    writeFileSync(join(cwd, '.platform', 'secrets.yaml'), 'jwt_signing_secret: x\n');
    expect(faultsOf()).toEqual([expect.stringMatching(/secrets\.yaml is damaged/)]);
    expect(readFileSync(join(cwd, '.platform', 'secrets.yaml'), 'utf8')).toBe('jwt_signing_secret: x\n');
  });
});
