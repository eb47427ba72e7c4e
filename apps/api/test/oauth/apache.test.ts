import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, until } from '@platform/development/testing';
import { Browser } from './browser.ts';
import { close, listen } from './loopback.ts';
import { startFixture } from './platform.ts';
import { startProvider } from './provider.ts';

const MODULES = '/usr/lib/apache2/modules';
const APACHE = '/usr/sbin/apache2';
const installed = existsSync(APACHE) && existsSync(`${MODULES}/mod_auth_openidc.so`);
// Needs Debian's packages apache2 and libapache2-mod-auth-openidc, which not every machine can install.
const describeWhereInstalled = installed ? describe : describe.skip;

describeWhereInstalled(
  'mod_auth_openidc (skipped where Debian’s apache2 and libapache2-mod-auth-openidc are missing)',
  () => {
    it('logs in and hands the claims to the app behind it', async () => {
      const fixture = await startFixture(startProvider);
      const backend = createServer((request, response) => response.end(JSON.stringify(request.headers)));
      const backendUrl = await listen(backend);
      const directory = await mkdtemp(join(tmpdir(), 'apache-'));
      const port = await freePort();
      const origin = `http://127.0.0.1:${port}`;
      await writeFile(
        join(directory, 'httpd.conf'),
        configuration({ directory, port, backendUrl, ...fixture.app }),
      );
      const apache = spawn(APACHE, ['-X', '-f', join(directory, 'httpd.conf')], { stdio: 'ignore' });
      const ended = new Promise((resolve) => apache.once('exit', resolve));
      try {
        await untilListening(origin);
        const { response } = await new Browser().open(`${origin}/protected/`);
        const headers = (await response?.json()) as Record<string, string>;
        expect(headers).toMatchObject({
          oidc_claim_iss: fixture.app.issuer,
          oidc_claim_sub: 'alice',
          oidc_claim_email: 'alice@example.com',
        });
      } finally {
        apache.kill();
        await ended;
        await Promise.all([fixture.close(), close(backend)]);
        await rm(directory, { recursive: true });
      }
    });
  },
);

async function untilListening(origin: string): Promise<void> {
  const listens = () =>
    fetch(`${origin}/open`).then(
      () => true,
      () => false,
    );
  await until(listens);
}

interface Settings {
  readonly directory: string;
  readonly port: number;
  readonly backendUrl: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly secret: string;
}

function configuration({ directory, port, backendUrl, issuer, clientId, secret }: Settings): string {
  const modules = [
    'mpm_event',
    'authn_core',
    'authz_core',
    'authz_user',
    'auth_openidc',
    'proxy',
    'proxy_http',
  ];
  return `
ServerRoot ${directory}
ServerName 127.0.0.1
Listen 127.0.0.1:${port}
PidFile ${directory}/httpd.pid
ErrorLog ${directory}/error.log
User www-data
Group www-data
${modules.map((name) => `LoadModule ${name}_module ${MODULES}/mod_${name}.so`).join('\n')}
OIDCProviderMetadataURL ${issuer}/.well-known/openid-configuration
OIDCClientID ${clientId}
OIDCClientSecret ${secret}
OIDCRedirectURI http://127.0.0.1:${port}/protected/redirect_uri
OIDCCryptoPassphrase secret-of-the-session-cookie
OIDCScope "openid email"
OIDCPKCEMethod S256
<Location /protected>
  AuthType openid-connect
  Require valid-user
  ProxyPass ${backendUrl}/
</Location>
`;
}
