import { table } from '../output/table.ts';
import type { Register } from './command-context.ts';
import { readCount } from './options.ts';

interface Challenges {
  readonly items: readonly { readonly record: string; readonly type: string; readonly value: string }[];
}

interface RotatedDeployment {
  readonly bootstrap_credential: string;
  readonly expires_at: string | null;
  readonly previous_credential_expires_at: string | null;
}

/** `domain-challenges`, `rotate-credential` and `rotate-secret`: the commands of typed resources besides reads and writes. */
export const registerProjects: Register = (program, contextOf) => {
  program
    .command('domain-challenges <project> [host...]')
    .description(
      'show the TXT records that prove the domains of a project: of the given hosts, otherwise of its own',
    )
    .option('--json', 'print JSON instead of the table')
    .action(async (project: string, hosts: readonly string[], { json }: { json?: boolean }, command) => {
      const ctx = contextOf(command);
      const query = new URLSearchParams(hosts.map((host): [string, string] => ['host', host]));
      const path = `/api/v1/projects/${encodeURIComponent(project)}/domain-challenges`;
      const { text } = await ctx.client.send({
        method: 'GET',
        path: hosts.length === 0 ? path : `${path}?${query}`,
        signal: ctx.signal,
      });
      const { items }: Challenges = JSON.parse(text);
      if (json) ctx.out(`${JSON.stringify({ items })}\n`);
      else if (items.length === 0) ctx.out('No domains need a record.\n');
      else {
        const rows = items.map(({ record, type, value }) => [record, type, value]);
        ctx.out(table(['RECORD', 'TYPE', 'VALUE'], rows));
      }
    });

  program
    .command('rotate-credential <project> <deployment>')
    .description('give a deployment a new bootstrap credential and print it; it is not shown again')
    .option('--overlap <seconds>', 'how long the old credential stays valid (default: 3600)', readCount)
    .option('--expires-at <time>', 'when the new credential expires, such as 2030-01-31T12:00:00Z')
    .action(
      async (
        project: string,
        deployment: string,
        { overlap, expiresAt }: { overlap?: number; expiresAt?: string },
        command,
      ) => {
        const ctx = contextOf(command);
        const path = `/api/v1/projects/${encodeURIComponent(project)}/deployments/${encodeURIComponent(deployment)}/rotate-credential`;
        const body = JSON.stringify({ overlap_seconds: overlap, expires_at: expiresAt });
        const { text } = await ctx.client.send({ method: 'POST', path, body, signal: ctx.signal });
        const rotated: RotatedDeployment = JSON.parse(text);
        ctx.terminal.err(
          `The new credential expires at ${rotated.expires_at ?? 'no time'}, the old one at ${rotated.previous_credential_expires_at ?? 'once'}.\n`,
        );
        ctx.out(`${rotated.bootstrap_credential}\n`);
      },
    );

  program
    .command('rotate-secret <project> <extension>')
    .description('give an extension a new client secret and print it; it is not shown again')
    .addHelpText(
      'after',
      `
The old secret stays valid until the next rotation.

Example:
  platform rotate-secret shop sign-in > client-secret`,
    )
    .action(async (project: string, extension: string, _options, command) => {
      const { client, terminal } = contextOf(command);
      const path = `/api/v1/projects/${encodeURIComponent(project)}/extensions/${encodeURIComponent(extension)}/rotate-secret`;
      const { text } = await client.send({ method: 'POST', path, signal: terminal.signal });
      terminal.out(`${(JSON.parse(text) as { readonly client_secret: string }).client_secret}\n`);
    });
};
