import type { PlatformClient } from 'platform-service-client';
import { ageOf } from '../output/format.ts';
import { table } from '../output/table.ts';
import type { CommandContext, Register } from './command-context.ts';
import { readCount } from './options.ts';

/** A session as `GET /api/v1/auth/sessions` answers it. */
interface ListedSession {
  readonly id: string;
  readonly user: string;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly userAgent: string;
}

const path = '/api/v1/auth/sessions';

/** `sessions list`, `sessions revoke` and `sessions sign-out`. */
export const registerSessions: Register = (program, contextOf) => {
  const sessions = program.command('sessions').description('list and end sessions of people');
  sessions
    .command('list')
    .description('list live sessions, newest first: your own, or of everybody as an operator')
    .option('-u, --user <user>', 'for operators: only those of this uid or e-mail address')
    .option('-l, --limit <count>', 'list at most this many, 1 to 1000', readCount, 100)
    .action(async ({ user, limit }, command) => {
      const ctx = contextOf(command);
      const query = new URLSearchParams({ limit: String(limit), ...(user === undefined ? {} : { user }) });
      const { text } = await ctx.client.send({ method: 'GET', path: `${path}?${query}`, signal: ctx.signal });
      ctx.out(listing(JSON.parse(text).items, ctx));
    });
  sessions
    .command('revoke <id...>')
    .description('end sessions by their id')
    .action(async (ids: readonly string[], _, command) => {
      const ctx = contextOf(command);
      for (const id of ids) {
        await revoke(ctx.client, id, ctx.signal);
        // The platform answers an unknown id in the same way (RFC 7009, section 2.2).
        ctx.out(`No session ${id} is valid any more\n`);
      }
    });
  sessions
    .command('sign-out <user>')
    .description('end all sessions of a user (uid or e-mail address): your own, or of anybody as an operator')
    .action(async (user: string, _, command) => {
      const ctx = contextOf(command);
      const target = `/api/v1/auth/users/${encodeURIComponent(user)}/sign-out`;
      await ctx.client.send({ method: 'POST', path: target, signal: ctx.signal });
      ctx.out(`No session of ${user} is valid any more\n`);
    });
};

async function revoke(client: PlatformClient, id: string, signal: AbortSignal): Promise<void> {
  const body = new URLSearchParams({ session_id: id }).toString();
  const contentType = 'application/x-www-form-urlencoded';
  await client.send({ method: 'POST', path: '/api/v1/auth/revoke', body, contentType, signal });
}

function listing(items: readonly ListedSession[], { now }: CommandContext): string {
  if (items.length === 0) return 'No sessions.\n';
  const rows = items.map(({ id, user, createdAt, expiresAt, userAgent }) => [
    id,
    user,
    ageOf(createdAt, now),
    expiresAt,
    userAgent || '-',
  ]);
  return table(['ID', 'USER', 'AGE', 'EXPIRES', 'PROGRAM'], rows);
}
