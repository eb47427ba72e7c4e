import { readFileSync } from 'node:fs';
import { Writable } from 'node:stream';
import { type Config, loadConfig } from '@platform/config';
import { testDatabase } from '@platform/development/testing';
import { createLogger, openTelemetry } from '@platform/service-runtime';
import { rootShape, type Shape } from '../../../packages/config/src/schema/shape.ts';
import { wire as wireApi } from '../../api/src/wire.ts';
import { wire as wireCollector } from '../../collector/src/wire.ts';

/** Keys that are read by another program, or later than when the API and the collector are wired: by which file. */
const readElsewhere: Readonly<Record<string, string>> = {
  'server.jwt_signing_secret': 'packages/config/src/resolve.ts',
  'database.data_dir': 'apps/launcher/src/database.ts',
  'database.port': 'apps/launcher/src/database.ts',
  'changes.retention_days': 'apps/collector/src/wire/cleanup-tasks.ts',
  'audit.retention_days': 'apps/collector/src/wire/cleanup-tasks.ts',
};

/** A value that adds the path of each of its members to `read` when it is read; those of lists have no numbers. */
function recorded<T extends object>(value: T, at: string, read: Set<string>): T {
  return new Proxy(value, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof name === 'symbol' || !Object.hasOwn(target, name)) return member;
      const path = Array.isArray(target) ? `${at}[]` : below(at, name);
      read.add(path);
      return typeof member === 'object' && member !== null ? recorded(member, path, read) : member;
    },
  });
}

/** Every key of the configuration, as `docs/configuration.md` names it. */
function keysOf({ properties = {}, items }: Shape, at = ''): string[] {
  const entries = items?.properties === undefined ? [] : keysOf(items, `${at}[]`);
  const members = Object.entries(properties).flatMap(([name, shape]) => keysOf(shape, below(at, name)));
  return members.length > 0 ? members : [at, ...entries].filter((key) => !key.endsWith('[]'));
}

function below(at: string, name: string): string {
  return at === '' ? name : `${at}.${name}`;
}

const database = testDatabase({ template: 'empty', migrate: async () => {} });

/** A configuration with an entry in each list whose entries have keys. */
function configuration(): Config {
  return loadConfig({
    cwd: '/nowhere',
    env: {
      PLATFORM__DATABASE__URL: database.url,
      PLATFORM__SERVER__PUBLIC_URL: 'https://platform.example',
      PLATFORM__SERVER__JWT_SIGNING_SECRET: Buffer.alloc(48, 's').toString('base64'),
      PLATFORM__ENCRYPTION__KEYS: `[{id: k, key: ${Buffer.alloc(32).toString('base64')}}]`,
      PLATFORM__AUTH__CONTROLLERS:
        '[{id: c.example.com, issuer: "https://issuer.example", claims: {aud: platform}}]',
    },
  });
}

// A key that nothing reads is accepted at the start, and has no effect.
it('every key of the configuration is read', async () => {
  const read = new Set<string>();
  const config = recorded(configuration(), '', read);
  await (await openTelemetry(config, { service: 'api' })).logging.close();
  const destination = new Writable({ write: (_chunk, _encoding, done) => done() });
  const logging = createLogger({ level: 'error', format: 'json', service: 'api', destination });
  const api = wireApi(config, logging);
  await api.prepare();
  await api.close();
  await wireCollector(config, logging).close();
  const keys = keysOf(rootShape);
  expect(keys).toEqual(expect.arrayContaining(['server.listen', 'encryption.keys[].key', 'log.level']));
  expect(keys.filter((key) => !read.has(key)).sort()).toEqual(Object.keys(readElsewhere).sort());
});

it.each(Object.entries(readElsewhere))('%s is read by %s', (key, file) => {
  const text = readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');
  expect(text).toMatch(new RegExp(`\\b${key.split('.').at(-1)}\\b`));
});
