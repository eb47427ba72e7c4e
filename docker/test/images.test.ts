import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { freePort, testDatabase, timeoutFactor } from '@platform/development/testing';
import { nodeOptions } from '@platform/service-runtime';
import { root, writeSecrets } from './files.ts';
import { type BundleOptions, imageConfig, writeBundle } from './oci-bundle.ts';
import { packagesIn, reachableFrom } from './packages-in.ts';
import { Programs, stopped } from './start-program.ts';

// Skipped unless docker/check-images.sh has built the images: PLATFORM_IMAGES holds a file system and a configuration of each.
const images = process.env['PLATFORM_IMAGES'] ?? '';
const applications = [
  {
    app: 'api',
    port: 8080,
    key: 'PLATFORM__SERVER__LISTEN',
    most: 50,
    // The pages of the console, and the packages that `GET /downloads` offers.
    served: ['console', 'downloads'],
  },
  { app: 'collector', port: 9090, key: 'PLATFORM__COLLECTOR__LISTEN', most: 30, served: [] },
] as const;
const rootfsOf = (app: string) => join(images, app, 'rootfs');
const configOf = (app: string) => imageConfig(join(images, app, 'image.json'));

/** Every file, directory and link below a directory. */
function below(directory: string): readonly string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    return entry.isDirectory() ? [path, ...below(path)] : [path];
  });
}

(images === '' ? describe.skip : describe)(
  'the images (skipped unless docker/check-images.sh made them)',
  () => {
    describe.each(applications)('$app', ({ app, port, most, served }) => {
      it('is run by node, as a user with a number, in production, is stopped by SIGTERM and has a health check', () => {
        expect(configOf(app)).toMatchObject({
          User: '1000:1000',
          Entrypoint: ['node', '--enable-source-maps', ...nodeOptions],
          Cmd: ['dist/main.js'],
          WorkingDir: '/app',
          StopSignal: 'SIGTERM',
          ExposedPorts: { [`${port}/tcp`]: {} },
          Env: expect.arrayContaining(['NODE_ENV=production']),
          Healthcheck: { Test: ['CMD', 'node', '/app/healthcheck.mjs'] },
        });
      });

      it('holds what its dependencies reach, and no other package', () => {
        const application = join(rootfsOf(app), 'app');
        const reachable = reachableFrom(application);
        const present = packagesIn(application);
        expect(present.length).toBeGreaterThan(40);
        expect(present.filter((directory) => !reachable.has(directory))).toEqual([]);
        for (const absent of ['typescript', 'jest', '@swc/core', '@biomejs/biome', '@platform/development']) {
          expect(present.filter((directory) => directory.endsWith(`/node_modules/${absent}`))).toEqual([]);
        }
      });

      it('holds builds and migrations of ours, and no source, test, secret or repository', () => {
        const application = join(rootfsOf(app), 'app');
        expect(readdirSync(application).sort()).toEqual(
          ['dist', 'docs', 'drizzle', 'healthcheck.mjs', 'node_modules', 'package.json', ...served].sort(),
        );
        const ours = packagesIn(application).filter((directory) => directory.includes('/@platform/'));
        for (const directory of ours) {
          const contents = readdirSync(directory).filter((name) => name !== 'node_modules');
          expect([directory, contents.sort()]).toEqual([directory, ['dist', 'package.json']]);
        }
        const names = below(application).map((path) => relative(application, path));
        expect(names.filter((name) => /\.[cm]?ts$/.test(name))).toEqual([]);
        expect(
          names.filter((name) => /(^|\/)(\.git|\.npmrc|\.env|secrets)$|\.(key|pem)$/.test(name)),
        ).toEqual([]);
        const own = names.filter((name) => /^dist\/|\/@platform\/[^/]+\/dist\//.test(name));
        expect(own.filter((name) => /\.test\.|(^|\/)tests?\//.test(name))).toEqual([]);
        for (const elsewhere of ['source', 'deployed', 'root/.cache', 'root/.local']) {
          expect(existsSync(join(rootfsOf(app), elsewhere))).toBe(false);
        }
      });

      it('has nothing that its user may change, and is small', () => {
        const application = join(rootfsOf(app), 'app');
        const stats = below(application).map((path) => [path, lstatSync(path)] as const);
        const open = stats.filter(
          ([, stat]) => !stat.isSymbolicLink() && (stat.uid !== 0 || (stat.mode & 0o22) !== 0),
        );
        expect(open.map(([path]) => path)).toEqual([]);
        const megabytes = stats.reduce((sum, [, stat]) => sum + (stat.isFile() ? stat.size : 0), 0) / 1e6;
        expect(megabytes).toBeLessThan(most);
      });
    });

    describe('as containers', () => {
      const programs = new Programs();
      const started: string[] = [];
      const directory = mkdtempSync(join(tmpdir(), 'platform-images-'));
      const secrets = join(directory, 'secrets');

      // Before the database is dropped: hooks run in the order of their registration.
      afterAll(async () => {
        for (const name of started) runc('delete', '--force', name);
        await programs.kill();
        rmSync(directory, { recursive: true, force: true });
      });

      const database = testDatabase();

      beforeAll(() => {
        mkdirSync(secrets);
        writeSecrets(secrets, database.url);
      });

      const runc = (...parameters: string[]) =>
        spawnSync('runc', ['--root', join(directory, 'runc'), ...parameters], { encoding: 'utf8' });

      /** Writes the bundle of an image, with the configuration where the image looks for it, and returns how it is run. */
      function container(app: string, options: Partial<BundleOptions>) {
        const name = `platform-${app}-${randomUUID()}`;
        const bundle = join(directory, name);
        writeBundle(bundle, rootfsOf(app), configOf(app), {
          env: {},
          // As in Kubernetes.
          mounts: [
            {
              source: join(root, 'docker/kubernetes/config.yaml'),
              destination: '/etc/platform/platform.yaml',
            },
            { source: secrets, destination: '/etc/platform-secrets' },
          ],
          ...options,
        });
        started.push(name);
        return { name, parameters: ['--root', join(directory, 'runc'), 'run', '--bundle', bundle, name] };
      }

      it('migrate, serve read-only without a capability as process 1, are healthy, and stop when asked', async () => {
        for (const { app, key } of applications) {
          const port = await freePort();
          const env = {
            [key]: `127.0.0.1:${port}`,
            HEALTHCHECK_URL: `http://127.0.0.1:${port}/healthz`,
            PLATFORM__SERVER__METRICS_LISTEN: `127.0.0.1:${await freePort()}`,
          };
          const { name, parameters } = container(app, { env });
          const program = await programs.start('runc', parameters, port);

          const look = `
          const { writeFileSync, readFileSync } = require('node:fs');
          const write = (path) => { try { writeFileSync(path, ''); return 'written'; } catch ({ code }) { return code; } };
          const status = (pid) => readFileSync('/proc/' + pid + '/status', 'utf8');
          console.log(JSON.stringify({
            root: write('/x'), app: write('/app/x'), tmp: write('/tmp/x'),
            one: readFileSync('/proc/1/cmdline', 'utf8').split('\\0').slice(0, -1),
            user: /^Uid:\\s+(\\d+)/m.exec(status(1))[1], capabilities: /^CapBnd:\\s+(\\w+)/m.exec(status(1))[1],
          }));`;
          const seen = runc('exec', name, 'node', '-e', look);
          expect({ ...JSON.parse(seen.stdout || '{}'), stderr: seen.stderr }).toEqual({
            root: 'EROFS',
            app: 'EROFS',
            tmp: 'written',
            one: ['node', '--enable-source-maps', ...nodeOptions, 'dist/main.js'],
            user: '1000',
            capabilities: '0000000000000000',
            stderr: '',
          });
          const metrics = app === 'api' ? `http://${env.PLATFORM__SERVER__METRICS_LISTEN}` : program.url;
          expect((await fetch(`${metrics}/metrics`)).status).toBe(200);
          const check = configOf(app).Healthcheck.Test.slice(1);
          expect(runc('exec', name, ...check).status).toBe(0);
          const elsewhere = runc('exec', '--env', 'HEALTHCHECK_URL=http://127.0.0.1:1/', name, ...check);
          expect(elsewhere.status).toBe(1);

          // runc hands the signal to process 1 and ends with its exit code.
          const [code, signal, milliseconds] = await stopped(program);
          expect([code, signal]).toEqual([0, null]);
          expect(milliseconds).toBeLessThan(15_000 * timeoutFactor);
          expect(program.output()).toContain('"message":"stopping"');
        }
      }, 120_000);

      it.each([
        [['dist/fsck.js'], 0],
        [['dist/switch.js', 'state'], 0],
        [['dist/reseal.js', '--dry-run'], 0],
      ] as const)('the collector runs %j', (parameters, code) => {
        const { status, stdout, stderr } = spawnSync(
          'runc',
          container('collector', { parameters }).parameters,
          {
            encoding: 'utf8',
          },
        );
        expect({ status, stdout, stderr }).toMatchObject({ status: code });
      });

      it('refuse to start without a configuration, and say why', () => {
        const { status, stderr } = spawnSync(
          'runc',
          container('api', { env: { PLATFORM_CONFIG: '/absent.yaml' } }).parameters,
          {
            encoding: 'utf8',
          },
        );
        expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('/absent.yaml') });
      });
    });

    it('name the release of the repository', () => {
      for (const { app } of applications) {
        const { version } = JSON.parse(readFileSync(join(rootfsOf(app), 'app/package.json'), 'utf8'));
        expect(version).toBe(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version);
      }
    });
  },
);
