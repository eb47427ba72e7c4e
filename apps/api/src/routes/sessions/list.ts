import { Problem } from '@platform/kernel';
import { keyToken, listLimit, parseKey, parseLimit, parseUid } from '@platform/resources';
import { listSessions } from '@platform/tokens';
import { z } from 'zod';
import { json } from '../../endpoint/answer.ts';
import { endpoint } from '../../endpoint/descriptor.ts';
import { ref } from '../../endpoint/documentation.ts';
import { noStore } from '../../endpoint/oauth-endpoint.ts';
import { pageQuery } from '../../endpoint/shared-docs.ts';
import type { SessionDeps } from './deps.ts';

/** `GET /api/v1/auth/sessions`: one's own live sessions, newest first; everybody's for operators. */
export const sessionList = endpoint({
  method: 'GET',
  path: '/api/v1/auth/sessions',
  id: 'listSessions',
  tag: 'Sessions',
  summary: 'List live sessions',
  description:
    'Newest first: the own ones, or everybody’s for operators. Sessions of releases before 0.25 are not listed.',
  access: 'user',
  unknownQuery: 'refuse',
  documentedQuery: pageQuery.extend({
    current: z.literal('true').optional().meta({
      description:
        'Only the session of this request, for a program that asks when it ends. Not together with `user`.',
    }),
    user: z
      .string()
      .optional()
      .meta({ description: 'For operators: a uid or an e-mail address.', example: 'ann@example.dev' }),
  }),
  responses: { 200: { description: 'A page.', schema: ref('SessionList') } },
  problems: ['invalid_query'],
  async handle({ ports }: SessionDeps, { principal }, call) {
    const query = call.searchParams;
    const wanted = readWanted(query);
    const list = `${call.path} ${JSON.stringify(wanted)}`;
    const { items, more } = await listSessions(ports, principal, {
      ...wanted,
      limit: parseLimit(query.getAll('limit'), listLimit),
      after: parseKey(query.getAll('continue'), list, (key) => parseUid(key) !== null),
    });
    const last = items.at(-1);
    const page = {
      items: items.map(({ id, email, createdAt, expiresAt, userAgent }) => ({
        id,
        user: email,
        createdAt,
        expiresAt,
        userAgent,
      })),
      ...(more && last !== undefined ? { continue: keyToken(list, last.id) } : {}),
    };
    return json(200, page, noStore);
  },
});

function readWanted(query: URLSearchParams): { readonly current: boolean; readonly user: string | null } {
  const current = readCurrent(query.getAll('current'));
  const user = readUser(query.getAll('user'));
  if (current && user !== null) {
    throw new Problem('invalid_query', 'Query parameters current and user exclude each other.');
  }
  return { current, user };
}

function readCurrent(sent: readonly string[]): boolean {
  if (sent.length > 1 || sent.some((value) => value !== 'true')) {
    throw new Problem('invalid_query', 'Query parameter current must be true.');
  }
  return sent.length === 1;
}

function readUser(sent: readonly string[]): string | null {
  const [user = null, ...more] = sent;
  // Attack: a NUL, which PostgreSQL does not accept in a text.
  if (more.length > 0 || (user !== null && !/^[^\p{C}]{1,320}$/u.test(user))) {
    throw new Problem('invalid_query', 'Query parameter user must be one uid or e-mail address.');
  }
  return user;
}
