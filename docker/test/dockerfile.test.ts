import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { overrideName } from '@platform/config';
import { nodeOptions } from '@platform/service-runtime';
import { root, text } from './files.ts';

const lines = text('Dockerfile').replaceAll('\\\n', ' ').split('\n');
const instructions = (name: string) =>
  lines.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1).trim());
const variables = new Map(
  instructions('ENV').flatMap((line) => line.split(/\s+/).map((pair) => pair.split('=') as [string, string])),
);
const manifestOf = (app: string) =>
  JSON.parse(readFileSync(join(root, 'apps', app, 'package.json'), 'utf8')) as {
    name: string;
    exports: { '.': { default: string } };
  };

describe('docker/Dockerfile', () => {
  it('copies what the repository has', () => {
    const sources = instructions('COPY')
      .filter((line) => !line.startsWith('--from'))
      .map((line) => line.split(/\s+/)[0] as string);
    expect(sources).toEqual(['.', 'drizzle', 'docs/errors.md', 'docker/healthcheck.mjs']);
    for (const source of sources) expect(existsSync(join(root, source))).toBe(true);
  });

  // Attack: the build stage copies the whole directory, so a secret in it stays in a layer and in the build cache.
  it('leaves configuration with secrets out of the build', () => {
    const ignored = readFileSync(join(root, '.dockerignore'), 'utf8').trim().split('\n');
    expect(ignored).toEqual(
      expect.arrayContaining([
        '**/platform.yaml',
        '**/secrets.yaml',
        '**/*.pem',
        '**/*.key',
        '**/.env',
        '**/.env.*',
      ]),
    );
  });

  it('builds on a Node.js with long-term support, with the pnpm that package.json pins', () => {
    const { packageManager, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      packageManager: string;
      engines: { node: string };
    };
    const argument = (name: string) =>
      instructions('ARG')
        .find((line) => line.startsWith(`${name}=`))
        ?.slice(name.length + 1);
    expect(argument('NODE_IMAGE')).toMatch(/\/node:24-bookworm-slim$/);
    expect(`pnpm@${argument('PNPM_VERSION')}`).toBe(packageManager);
    expect(engines.node).toBe('>=20.19');
  });

  it.each(['api', 'collector'])('has a target %s that deploys the package and runs its entry', (app) => {
    const { name, exports } = manifestOf(app);
    expect(instructions('FROM')).toContain(`runtime AS ${app}`);
    expect(text('Dockerfile')).toContain(`pnpm --filter ${name} deploy --prod /deployed/${app}`);
    expect(instructions('COPY')).toContain(`--from=build /deployed/${app} ./`);
    expect(instructions('CMD').map((command) => `./${JSON.parse(command)[0]}`)).toContain(
      exports['.'].default,
    );
  });

  it('starts Node as the launcher does', () => {
    expect(instructions('ENTRYPOINT').map((command) => JSON.parse(command))).toEqual([
      ['node', '--enable-source-maps', ...nodeOptions],
    ]);
  });

  it('sets only keys that the configuration knows, and listens where it exposes', () => {
    const known = [overrideName('server.listen'), overrideName('collector.listen')];
    const set = [...variables.keys()].filter((name) => name.startsWith('PLATFORM__'));
    expect(set.sort()).toEqual(known.sort());
    const ports = set.map((name) => variables.get(name)?.split(':')[1]);
    expect(ports.sort()).toEqual(instructions('EXPOSE').sort());
  });

  it('runs as a user with a number that is not root', () => {
    expect(instructions('USER')).toEqual([expect.stringMatching(/^[1-9]\d*:[1-9]\d*$/)]);
  });

  it('keeps secrets, builds and dependencies of the host out of the images', () => {
    const ignored = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n');
    expect(ignored).toEqual(
      expect.arrayContaining([
        ...['.git', '**/node_modules', '**/dist', 'docker/compose/secrets', '.platform'],
        ...['**/platform.yaml', '**/secrets.yaml', '**/*.pem', '**/*.key', '**/.env', '**/.env.*'],
      ]),
    );
  });
});
