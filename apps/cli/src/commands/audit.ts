import { InvalidArgumentError, Option } from 'commander';
import { sleep } from 'platform-service-client';
import { printable } from '../output/format.ts';
import { table } from '../output/table.ts';
import type { CommandContext, Register } from './command-context.ts';
import { readCount } from './options.ts';

/** The members of an audit record that are printed. */
interface ShownRecord {
  readonly id: string;
  readonly time: string;
  readonly action: string;
  readonly outcome: string;
  readonly actor: { readonly type: string; readonly id: string };
  readonly resource?: { readonly kind: string; readonly name: string };
  readonly project?: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** The filters of `GET /api/v1/audit`, by option. */
const filters = [
  'since',
  'until',
  'actor',
  'action',
  'resource',
  'kind',
  'project',
  'outcome',
  'requestId',
] as const;

const followMs = 2_000;
/** Records without a transaction are stored a moment after their time, so each poll goes back by this. */
const overlapMs = 10_000;
/** Ids of printed records that are kept while following: more than ten seconds bring. */
const rememberedIds = 10_000;
/** Records that one poll reads, at most: about 50 MB. Only a long interruption brings more than one page. */
const recordsPerPoll = 100_000;

interface Options extends Partial<Record<(typeof filters)[number], string | undefined>> {
  readonly limit: number;
  readonly follow?: boolean;
  readonly output?: 'json';
}

/** `audit`: who did what. */
export const registerAudit: Register = (program, contextOf) => {
  const command = program.command('audit').description('search the audit records, newest first (operators)');
  command
    .option('--since <time>', 'from this time on: RFC 3339, or so long ago: 30m, 24h, 7d', readTime)
    .option('--until <time>', 'before this time, as for --since', readTime)
    .option('--actor <id>', 'only of this e-mail address or controller id')
    .option('--action <action>', 'only this action, such as token.issued')
    .option('--resource <uid>', 'only about the resource with this uid')
    .option('--kind <kind>', 'only about resources of this kind')
    .option('-p, --project <name>', 'only of this project')
    .addOption(new Option('--outcome <outcome>', 'only these').choices(['allowed', 'denied', 'failed']))
    .option('--request-id <id>', 'only of this request')
    .option('-l, --limit <count>', 'show at most this many, 1 to 1000', readCount, 50)
    .option('-f, --follow', 'wait for new records and show them, oldest first')
    .addOption(new Option('-o, --output <format>', 'one JSON object a line').choices(['json']))
    .action(async (options: Options, self) => {
      const ctx = contextOf(self);
      const { since, until } = options;
      const fixed = { ...options, since: timeOf(since, ctx.now), until: timeOf(until, ctx.now) };
      const { items, continue: more } = await search(ctx, fixed);
      if (options.follow === true) return await follow(ctx, fixed, items);
      ctx.out(shown(items, options));
      // Somebody who looks for the cause of something must not take a part for everything.
      if (more !== undefined)
        ctx.err(`There are older records: --limit up to 1000, or --until ${items.at(-1)?.time}\n`);
    });
};

const secondsIn = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;
const ago = /^(\d{1,6})([smhd])$/;

function readTime(text: string): string {
  if (ago.test(text) || !Number.isNaN(Date.parse(text))) return text;
  throw new InvalidArgumentError('expected a time such as 2026-01-31T12:00:00Z, or 30m, 24h, 7d.');
}

/** The time that `24h` stands for; any other time unchanged. */
function timeOf(text: string | undefined, now: number): string | undefined {
  const [, number = '', unit = 's'] = ago.exec(text ?? '') ?? [];
  if (number === '') return text;
  const seconds = Number(number) * secondsIn[unit as keyof typeof secondsIn];
  return new Date(now - seconds * 1_000).toISOString();
}

interface Page {
  readonly items: readonly ShownRecord[];
  readonly continue?: string;
}

async function search(
  ctx: CommandContext,
  options: Options,
  more: Readonly<Record<string, string>> = {},
): Promise<Page> {
  const query = new URLSearchParams({ limit: String(options.limit), ...more });
  for (const name of filters) {
    const value = options[name];
    if (value !== undefined && more[name] === undefined) query.set(name, value);
  }
  const { text } = await ctx.client.send({
    method: 'GET',
    path: `/api/v1/audit?${query}`,
    signal: ctx.signal,
  });
  return JSON.parse(text) as Page;
}

/** Prints the existing records, then new ones until Ctrl-C. */
async function follow(ctx: CommandContext, options: Options, first: readonly ShownRecord[]): Promise<void> {
  const known = new Set<string>();
  let newest = ctx.now;
  const lines = ctx.outageLines;
  for (let records = first; ; records = await poll(ctx, { ...options, limit: 1000 }, newest, lines)) {
    const fresh = records.filter(({ id }) => !known.has(id)).reverse();
    for (const { id, time } of fresh) {
      known.add(id);
      newest = Math.max(newest, Date.parse(time));
    }
    for (const id of known) {
      if (known.size <= rememberedIds) break;
      known.delete(id);
    }
    for (const record of fresh)
      ctx.out(`${options.output === 'json' ? JSON.stringify(record) : lineOf(record)}\n`);
    await sleep(ctx.terminal.timers, followMs, ctx.signal);
  }
}

/** The records since the newest one, newest first; none while the platform cannot be reached. */
async function poll(
  ctx: CommandContext,
  options: Options,
  newest: number,
  lines: CommandContext['outageLines'],
): Promise<readonly ShownRecord[]> {
  const since = new Date(newest - overlapMs).toISOString();
  const records: ShownRecord[] = [];
  try {
    let page = await search(ctx, options, { since });
    records.push(...page.items);
    while (page.continue !== undefined && records.length < recordsPerPoll) {
      page = await search(ctx, options, { since, continue: page.continue });
      records.push(...page.items);
    }
    if (page.continue !== undefined)
      ctx.err(`There are more records since ${since}; only the newest ${records.length} are shown.\n`);
    lines.onRecovery();
    return records;
  } catch (error) {
    ctx.signal.throwIfAborted();
    if (ctx.failureOf(error).exit !== 'unavailable') throw error;
    lines.onOutage(error);
    return [];
  }
}

function shown(records: readonly ShownRecord[], { output }: Options): string {
  if (output === 'json') return records.map((record) => `${JSON.stringify(record)}\n`).join('');
  if (records.length === 0) return 'No audit records.\n';
  return table(['TIME', 'ACTION', 'OUTCOME', 'ACTOR', 'SUBJECT', 'DETAILS'], records.map(cellsOf));
}

function cellsOf({ time, action, outcome, actor, resource, project, details }: ShownRecord): string[] {
  const subject = resource === undefined ? (project ?? '-') : `${resource.kind} ${resource.name}`;
  const facts = Object.entries(details).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const who = actor.id === '' ? actor.type : actor.id;
  return [time, action, outcome, who, subject, facts.join(' ').slice(0, 120) || '-'];
}

function lineOf(record: ShownRecord): string {
  return cellsOf(record).map(printable).join('  ');
}
