import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { ConfigError, loadDatabase } from './index.ts';

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'config-'));
});
afterEach(() => rmSync(cwd, { recursive: true }));

function write(content: object): void {
  writeFileSync(join(cwd, 'platform.yaml'), stringify(content));
}

describe('the configuration of the database alone', () => {
  it('is that of the file, with the environment over it and references filled in', () => {
    write({ database: { url: 'postgres://u:$' + '{env:PASSWORD}@db/p', pool_max: 3 } });
    const env = { PASSWORD: 'x', PLATFORM__DATABASE__POOL_MAX: '4' };
    expect(loadDatabase({ cwd, env })).toMatchObject({ url: 'postgres://u:x@db/p', pool_max: 4 });
    const whole = { PLATFORM__DATABASE: '{ url: "postgres://other/p" }' };
    expect(loadDatabase({ cwd, env: whole }).url).toBe('postgres://other/p');
  });

  it('needs nothing else to be right, and generates nothing', () => {
    write({ server: { jwt_signing_secret: '$' + '{file:/not/here}' }, auth: 'bad', unknown: 1 });
    const env = { NODE_ENV: 'production', PLATFORM__SERVER__LISTEN: 'bad' };
    expect(loadDatabase({ cwd, env })).toMatchObject({ url: undefined, data_dir: join(cwd, '.platform') });
    expect(readdirSync(cwd)).toEqual(['platform.yaml']);
  });

  it('tells every fault of the section, without its values', () => {
    write({ database: { url: 'mysql://secret', pool: 1 } });
    const faults = () => loadDatabase({ cwd, env: { PLATFORM__DATABASE__PORT: 'x' } });
    expect(faults).toThrow(ConfigError);
    expect(faults).toThrow(/^database\.pool: .*\ndatabase\.url: .*\ndatabase\.port: .*$/);
    expect(faults).not.toThrow(/secret/);
  });

  it('tells one fault of a key whose reference leads nowhere', () => {
    write({ database: { url: '$' + '{env:GONE}' } });
    expect(() => loadDatabase({ cwd, env: {} })).toThrow(/^database\.url: the variable GONE is not set$/);
  });

  it('is not read when an address is given', () => {
    write({ database: 'bad' });
    const env = { PLATFORM__DATABASE__URL: 'postgres://wrong/p' };
    expect(loadDatabase({ cwd, env, url: 'postgres://right/p' }).url).toBe('postgres://right/p');
    expect(() => loadDatabase({ cwd, env, url: 'right' })).toThrow('database.url: must be a postgres:// URL');
  });
});
