import { exitCodes } from '../exit-codes.ts';
import { ageOf } from '../output/format.ts';
import { table } from '../output/table.ts';
import type { KeyReport, Resealing } from '../wire.ts';
import type { Register } from './command-context.ts';
import { databaseHelp, databaseUrl, toolsOf } from './database.ts';

const keysHelp = `${databaseHelp}
The keys are read from encryption.keys of the service configuration, so run it with the configuration of the service.
`;

interface KeysOptions {
  readonly databaseUrl?: string;
  readonly json?: boolean;
  readonly dryRun?: boolean;
}

/** `keys` and `reseal`: rotate the encryption keys. */
export const registerKeys: Register = (program, contextOf) => {
  program
    .command('keys')
    .description('show what is sealed with which encryption key, and the ages of keys and secrets')
    .addOption(databaseUrl())
    .option('--json', 'print JSON instead of the report')
    .addHelpText('after', keysHelp)
    .action(async ({ databaseUrl: url, json }: KeysOptions, command) => {
      const ctx = contextOf(command);
      const report = await (await toolsOf(ctx, url)).keys();
      ctx.out(json ? `${JSON.stringify(report)}\n` : keysText(report, Date.now()));
    });

  program
    .command('reseal')
    .description('seal everything in the database with the first encryption key, while the service runs')
    .addOption(databaseUrl())
    .option('--dry-run', 'count what would be sealed, and write nothing')
    .option('--json', 'print JSON instead of the report')
    .addHelpText('after', keysHelp)
    .action(async ({ databaseUrl: url, dryRun = false, json }: KeysOptions, command) => {
      const ctx = contextOf(command);
      const resealing = await (await toolsOf(ctx, url)).reseal({ dryRun });
      ctx.out(json ? `${JSON.stringify(resealing)}\n` : resealText(resealing, dryRun));
      if (resealing.counts.some(({ unreadable }) => unreadable > 0)) ctx.finish(exitCodes.failed);
    });
};

function keysText(report: KeyReport, now: number): string {
  const { configured, uses } = report;
  const unused = configured.filter((id) => !uses.some(({ key }) => key === id));
  const rows = [
    ...uses.map(({ key, kind, values }) => [key ?? '(not sealed)', stateOf(key), kind, String(values)]),
    ...unused.map((id) => [id, stateOf(id), '-', '0']),
  ];
  const order = (id: string) => (configured.includes(id) ? configured.indexOf(id) : configured.length);
  rows.sort((a, b) => order(a[0] ?? '') - order(b[0] ?? ''));
  return `${table(['KEY', 'STATE', 'SEALED VALUES', 'COUNT'], rows)}\n${agesText(report, now)}`;

  function stateOf(key: string | null): string {
    if (key === configured[0]) return 'encrypts';
    return key !== null && configured.includes(key) ? 'decrypts only' : 'not configured';
  }
}

const purposes: Readonly<Record<KeyReport['known'][number]['purpose'], string>> = {
  encryption: 'encryption',
  sessions: 'sessions and access tokens',
  identity: 'ingress and workload tokens',
};

function agesText({ known, signingKeys, clientSecrets, credentials }: KeyReport, now: number): string {
  const rows = known.map(({ purpose, id, firstUsedAt, lastUsedAt }) => [
    id,
    purposes[purpose],
    ageOf(firstUsedAt, now),
    ageOf(lastUsedAt, now),
  ]);
  const agesOf = ({ count, oldest, newest }: KeyReport['signingKeys']) =>
    oldest === null || newest === null
      ? String(count)
      : `${count}, the oldest ${ageOf(oldest, now)} old, the newest ${ageOf(newest, now)} old`;
  const { count, withoutEnd, nextExpiry } = credentials;
  const ends = [
    String(count),
    ...(withoutEnd === 0 ? [] : [`${withoutEnd} of them never ${withoutEnd === 1 ? 'expires' : 'expire'}`]),
    ...(nextExpiry === null ? [] : [`the next one expires at ${nextExpiry}`]),
  ];
  return `${rows.length === 0 ? '' : `${table(['KEY', 'SIGNS OR SEALS', 'IN USE SINCE', 'LAST START'], rows)}\n`}\
keys that sign ID tokens: ${agesOf(signingKeys)}
client secrets of apps: ${agesOf(clientSecrets)}
bootstrap credentials: ${ends.join(', ')}
`;
}

function resealText({ key, counts }: Resealing, dryRun: boolean): string {
  const rows = counts.map(({ kind, current, resealed, changed, unreadable }) =>
    [kind, current, resealed, changed, unreadable].map(String),
  );
  const done = dryRun ? 'TO RESEAL' : 'RESEALED';
  const unreadable = counts.reduce((sum, each) => sum + each.unreadable, 0);
  const summary =
    unreadable > 0
      ? `${unreadable} values are not opened by any configured key: platform keys shows which key sealed them`
      : dryRun
        ? 'nothing was written'
        : `everything in the database is sealed with the key ${key}`;
  return `${table(['SEALED VALUES', `ALREADY ${key}`, done, 'CHANGED MEANWHILE', 'UNREADABLE'], rows)}\n${summary}\n`;
}
