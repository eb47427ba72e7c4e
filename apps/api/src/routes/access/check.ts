import { accessSubject } from '@platform/access';
import { Problem } from '@platform/kernel';
import {
  type AccessReason,
  type Caller,
  checkAccess,
  type Identity,
  withConfirmedAccess,
} from '@platform/resources';
import { z } from 'zod';
import { json } from '../../endpoint/answer.ts';
import { typedBody } from '../../endpoint/body.ts';
import { endpoint } from '../../endpoint/descriptor.ts';
import { ref } from '../../endpoint/documentation.ts';
import { noStore } from '../../endpoint/oauth-endpoint.ts';
import { requireAccount } from '../../http/require-account.ts';
import { identityOfPrincipal } from '../resources/call.ts';
import type { ResourceDeps } from '../resources/index.ts';
import { isAboutKind, questionSchema } from './question.ts';

/** Each may cost a look-up, one after the other. A page of the console asks fewer. */
const maxChecks = 100;

const requestSchema = z.strictObject({
  checks: z.array(questionSchema).min(1, 'must have a check').max(maxChecks),
  as: accessSubject.optional(),
});

const pages = '/api/v1/resources/example.dev/v1/pages/acme';

const exampleReason = {
  type: 'binding',
  binding: 'acme-editors',
  role: 'editor',
  rule: { apiGroups: ['example.dev'], resources: ['pages'], verbs: ['get', 'update'] },
  scope: '0190a5c2-5f0e-7cc3-98c4-dc0c0c07398f',
};

/** `POST /api/v1/access/check`: whether requests would be allowed, and why. */
export const accessCheck = endpoint({
  access: 'authenticated',
  method: 'POST',
  path: '/api/v1/access/check',
  id: 'checkAccess',
  tag: 'Access',
  summary: 'Ask whether requests would be allowed',
  description:
    'For the caller, in the order of the checks; for somebody else with `as`, which is for operators. A resource that may not be seen and one that does not exist get the same answer.',
  body: typedBody(requestSchema, ref('AccessCheck'), {
    edit: {
      summary: 'May I change this page, and create others?',
      value: {
        checks: [
          { verb: 'update', path: `${pages}/home` },
          { verb: 'create', path: pages },
        ],
      },
    },
  }),
  responses: {
    200: {
      description: 'An answer to each check.',
      schema: ref('AccessCheckResults'),
      example: { results: [{ allowed: true, because: exampleReason }, { allowed: false }] },
    },
  },
  problems: ['malformed_body', 'validation_failed', 'forbidden'],
  async handle(deps: ResourceDeps, { principal, body }) {
    await requireAccount(deps, principal);
    const { checks, as } = await body();
    const own = identityOfPrincipal(principal, deps.readingControllers);
    if (as !== undefined && own.type !== 'operator') {
      throw new Problem('forbidden', 'Only operators may ask for somebody else.');
    }
    const identity = as === undefined ? own : await identityAs(deps, as);
    const results = await withConfirmedAccess(deps.access, identity, async (caller) => {
      const answers: object[] = [];
      for (const check of checks) answers.push(resultOf(await reasonFor(deps, caller, check)));
      return answers;
    });
    return json(200, { results }, noStore);
  },
});

async function reasonFor(
  { ports: { reader, removed }, catalog }: ResourceDeps,
  caller: Caller,
  question: z.output<typeof questionSchema>,
): Promise<AccessReason | null> {
  if (isAboutKind(question)) return await checkAccess({ reader, removed, catalog }, caller, question);
  return caller.type === 'operator' ? { type: 'operator' } : null;
}

function resultOf(because: AccessReason | null): object {
  return because === null ? { allowed: false } : { allowed: true, because };
}

/** A subject as a caller. Groups of a user are in sessions only, so they are asked about as subjects of their own. */
async function identityAs(
  { access, readingControllers, roles }: ResourceDeps,
  { kind, name }: z.output<typeof accessSubject>,
): Promise<Identity> {
  const userWith = (email: string, groups: readonly string[]): Identity => {
    const known = { email, emailVerified: true, groups };
    return roles.isOperator({ ...known, account: null })
      ? { type: 'operator', email }
      : { type: 'user', ...known };
  };
  switch (kind) {
    case 'User':
      return userWith(name, []);
    case 'Group':
      return userWith('', [name]);
    case 'Controller':
      return { type: 'controller', id: name, reads: readingControllers.has(name) };
    case 'ServiceAccount': {
      const uid = (await access.current()).serviceAccountUid(name) ?? '';
      return { type: 'service_account', email: name, uid };
    }
  }
}
