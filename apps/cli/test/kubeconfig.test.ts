import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer as createPlainServer, request } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { developmentCertificates } from '@platform/development';
import { CliFixture } from './cli-fixture.ts';

const withKubectl = spawnSync('kubectl', ['version', '--client']).error === undefined ? it : it.skip;

describe('platform kubeconfig', () => {
  const cli = new CliFixture();

  it('refuses an address without TLS, and says why', async () => {
    const { code, out, err } = await cli.run('kubeconfig');
    expect(code).not.toBe(0);
    expect(out).toBe('');
    expect(err).toContain('over plain http');
    expect(err).toContain('server.public_url');
  });

  it.each([
    [
      'is switched off',
      { code: 'unknown_endpoint', detail: 'No such endpoint.' },
      'the Kubernetes API is switched off',
    ],
    ['has no TLS', { kind: 'Status', code: 404, message: 'no TLS here' }, 'no TLS here'],
    ['is behind a proxy that does not know it', { error: 'no_route' }, 'no_route'],
  ])('says why there is none when it %s', async (_, body, message) => {
    const server = createPlainServer((_request, response) =>
      response.writeHead(404).end(JSON.stringify(body)),
    );
    await once(server.listen(0, '127.0.0.1'), 'listening');
    try {
      const { port } = server.address() as AddressInfo;
      const { code, err } = await cli.run(`--url http://127.0.0.1:${port} kubeconfig`);
      expect(code).not.toBe(0);
      expect(err).toContain(message);
    } finally {
      server.close();
    }
  });

  it('has a plug-in that prints the token as kubectl takes it', async () => {
    const credential = JSON.parse(await cli.ok('token exec-credential'));
    expect(credential).toEqual({
      apiVersion: 'client.authentication.k8s.io/v1',
      kind: 'ExecCredential',
      status: { token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/) },
    });
  });

  withKubectl('gives kubectl a credential over TLS (skipped without kubectl)', async () => {
    const { authority, certificate, privateKey } = await developmentCertificates(cli.home, Date.now());
    const server = createServer({ cert: certificate, key: privateKey }, (incoming, response) => {
      const { method, headers, url } = incoming;
      const onwards = request(new URL(url ?? '/', cli.api.publicUrl), { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      incoming.pipe(onwards);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    writeFileSync(cli.path('credential.json'), await cli.ok('token exec-credential'));
    const exec = { apiVersion: 'client.authentication.k8s.io/v1', interactiveMode: 'Never' };
    const cluster = {
      server: `https://127.0.0.1:${port}/kubernetes`,
      'certificate-authority-data': Buffer.from(authority).toString('base64'),
    };
    const config = {
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'c',
      clusters: [{ name: 'c', cluster }],
      contexts: [{ name: 'c', context: { cluster: 'c', user: 'c' } }],
      users: [
        { name: 'c', user: { exec: { ...exec, command: 'cat', args: [cli.path('credential.json')] } } },
      ],
    };
    writeFileSync(cli.path('kubeconfig'), JSON.stringify(config));
    try {
      const env = { PATH: process.env['PATH'], HOME: cli.home, KUBECONFIG: cli.path('kubeconfig') };
      const { stdout } = await promisify(execFile)('kubectl', ['auth', 'whoami', '-o', 'json'], { env });
      expect(JSON.parse(stdout).status.userInfo.username).toContain('@');
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});
