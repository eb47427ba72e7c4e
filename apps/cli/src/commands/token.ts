import { Option } from 'commander';
import { exchangeToken } from 'platform-service-client';
import { Failure } from '../failure.ts';
import { losslessJson } from '../json.ts';
import { readFileOrInput } from '../read-file.ts';
import type { Register } from './command-context.ts';

/** `token show`, `token exchange` and `encrypt`. */
export const registerToken: Register = (program, contextOf) => {
  const tokens = program.command('token').description('tokens');
  tokens
    .command('show')
    .description('print the current token, for other programs; keep it secret')
    .action(async (_, command) => {
      const { terminal, session } = contextOf(command);
      terminal.out(`${await session.token()}\n`);
    });
  tokens
    .command('exec-credential')
    .description('print the current token as kubectl takes it from a credential plug-in')
    .action(async (_, command) => {
      const { terminal, session } = contextOf(command);
      const expires = session.credential === undefined ? session.context?.expires : undefined;
      const status = {
        token: await session.token(),
        ...(expires === undefined ? {} : { expirationTimestamp: new Date(expires).toISOString() }),
      };
      const credential = { apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential', status };
      terminal.out(`${JSON.stringify(credential)}\n`);
    });
  tokens
    .command('exchange')
    .description('exchange an external token for an access token (RFC 8693) and print it')
    .option('-f, --subject-token-file <file>', 'a file with the external token (- for standard input)', '-')
    .option('--identity <email>', 'the service account to act as; without it the token is for a controller')
    .addOption(
      new Option('-o, --output <format>', 'print the token, or the whole response')
        .choices(['token', 'json'])
        .default('token'),
    )
    .action(async ({ subjectTokenFile: file, identity, output }, command) => {
      const { terminal, session } = contextOf(command);
      const subject = (await readFileOrInput(file, terminal)).trim();
      if (subject === '') throw new Failure('usage', 'the input does not contain a token');
      const response = await exchangeToken({
        baseUrl: session.clientWith(undefined).baseUrl,
        subject,
        timers: terminal.timers,
        signal: terminal.signal,
        ...(identity === undefined ? {} : { identity }),
      });
      terminal.out(output === 'json' ? losslessJson.pretty(response) : `${response.access_token}\n`);
    });
  program
    .command('encrypt')
    .description(
      'encrypt a secret for an extension; reads it from a prompt or standard input, never from an argument',
    )
    .option(
      '-p, --project <name>',
      'the project of the extension; without it, only you can use the ciphertext, for 24 hours',
    )
    .action(async ({ project }, command) => {
      const { terminal, client, signal } = contextOf(command);
      const secret = terminal.canAsk
        ? await terminal.askSecret('Secret: ')
        : (await terminal.readInput()).replace(/\r?\n$/, '');
      if (secret === '') throw new Failure('usage', 'the secret is empty');
      const request = {
        method: 'POST',
        path: '/api/v1/encrypt',
        body: { plaintext: secret, project },
        signal,
      };
      const { encrypted } = JSON.parse((await client.send(request)).text);
      terminal.out(`${encrypted}\n`);
    });
};
