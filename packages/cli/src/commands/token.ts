import { readFileSync } from 'node:fs';
import { exchangeToken } from '@platform/client';
import { Option } from 'commander';
import { Failure } from '../failure.ts';
import { losslessJson } from '../json.ts';
import type { Register } from './command.ts';

/** `token show`, `token exchange` and `encrypt`. */
export const registerToken: Register = (program, benchOf) => {
  const tokens = program.command('token').description('tokens');
  tokens
    .command('show')
    .description('print the token that you are logged in with, for other programs: keep it to yourself')
    .action(async (_, command) => {
      const { terminal, session } = benchOf(command);
      terminal.out(`${await session.token()}\n`);
    });
  tokens
    .command('exchange')
    .description('exchange an external token for an access token (RFC 8693), and print it')
    .option('-f, --subject-token-file <file>', 'the external token; - is standard input', '-')
    .option('--identity <email>', 'the service account to become; without it the caller becomes a controller')
    .addOption(
      new Option('-o, --output <format>', 'the token, or the whole answer')
        .choices(['token', 'json'])
        .default('token'),
    )
    .action(async ({ subjectTokenFile: file, identity, output }, command) => {
      const { terminal, session } = benchOf(command);
      const subject = (file === '-' ? await terminal.readInput() : readFileSync(file, 'utf8')).trim();
      if (subject === '') throw new Failure('usage', 'there is no token in the input');
      const answer = await exchangeToken({
        baseUrl: session.clientWith(undefined).baseUrl,
        subject,
        timers: terminal.timers,
        signal: terminal.signal,
        ...(identity === undefined ? {} : { identity }),
      });
      terminal.out(output === 'json' ? losslessJson.pretty(answer) : `${answer.access_token}\n`);
    });
  program
    .command('encrypt')
    .description(
      'seal a secret for an extension; it is asked for, or read from standard input, never an argument',
    )
    .option(
      '-p, --project <name>',
      'the project that the secret is for; without it, you alone can use the ciphertext, for 24 hours',
    )
    .action(async ({ project }, command) => {
      const { terminal, client, signal } = benchOf(command);
      const typed = terminal.canAsk
        ? await terminal.askSecret('Secret: ')
        : (await terminal.readInput()).replace(/\r?\n$/, '');
      if (typed === '') throw new Failure('usage', 'there is no secret in the input');
      const call = { method: 'POST', path: '/api/v1/encrypt', body: { plaintext: typed, project }, signal };
      const { encrypted } = JSON.parse((await client.send(call)).text);
      terminal.out(`${encrypted}\n`);
    });
};
