import type { Clock } from '@platform/kernel';
import { z } from 'zod';
import { email, instant, labelName, organizationName, origin, projectUrl } from './fields.ts';
import { templateUrl } from './urls.ts';

const owner = z.union([z.strictObject({ user: email }), z.strictObject({ team: labelName })], {
  error: 'must be {"user": <e-mail address>} or {"team": <name>}',
});
/** The most members of a project or a team. */
const maxMembers = 1000;

const members = z
  .array(email)
  .max(maxMembers, `must have at most ${maxMembers} entries`)
  .transform((all) => [...new Set(all)]);

const projectFields = (urlTemplate: string) => ({
  access_class: z.enum(['public', 'private']).optional(),
  url: projectUrl(urlTemplate).optional(),
  custom_domains: z
    .array(origin)
    .max(100, 'must have at most 100 entries')
    .transform((all) => [...new Set(all)])
    .optional(),
  owner: owner.optional(),
  members: members.optional(),
});

/** The body of `POST /projects`; `urlTemplate` is `server.project_url_template`. */
export function createProjectBody(urlTemplate: string) {
  return z.strictObject({
    name: labelName.refine(
      (name) => templateUrl(urlTemplate, name) !== null,
      'must be a valid part of the URL that server.project_url_template gives to the project',
    ),
    organization: organizationName.optional(),
    ...projectFields(urlTemplate),
  });
}
export type CreateProjectBody = z.output<ReturnType<typeof createProjectBody>>;

/** A member that the server sets: a PUT may send it back as it was read. */
const readBack = z.unknown().optional();
const tenantReadBack = {
  uid: readBack,
  name: readBack,
  organization: readBack,
  organization_resource_uid: readBack,
  revision: readBack,
  created_at: readBack,
};
/** The members of a team that a PUT cannot change. */
export const teamReadBack = Object.keys(tenantReadBack);
/** The members of a project that a PUT cannot change. */
export const projectReadBack = [...teamReadBack, 'contested_addresses'];

/** The body of `PUT /projects/{project}`: missing fields return to their defaults, except the owner. */
export function replaceProjectBody(urlTemplate: string) {
  return z.strictObject({
    ...tenantReadBack,
    contested_addresses: readBack,
    ...projectFields(urlTemplate),
  });
}
export type ReplaceProjectBody = z.output<ReturnType<typeof replaceProjectBody>>;

const namedMembers = z.array(z.object({ email: z.string() })).max(maxMembers);

const teamMembers = z
  .array(z.strictObject({ email, role: z.enum(['owner', 'member']) }))
  .max(maxMembers, `must have at most ${maxMembers} entries`)
  .refine(
    (all) => new Set(all.map((member) => member.email)).size === all.length,
    // Also with faults elsewhere, so that a client learns all of them at once.
    { error: 'must name each member once', when: ({ value }) => namedMembers.safeParse(value).success },
  );

/** The body of `POST /teams`. */
export const createTeamBody = z.strictObject({
  name: labelName,
  organization: organizationName.optional(),
  members: teamMembers.default([]),
});
export type CreateTeamBody = z.output<typeof createTeamBody>;

/** The body of `PUT /teams/{team}`. */
export const replaceTeamBody = z.strictObject({ ...tenantReadBack, members: teamMembers.default([]) });
export type ReplaceTeamBody = z.output<typeof replaceTeamBody>;

/** The body of an environment. */
export const environmentBody = z.strictObject({ name: labelName });

/** The body of a service account; the claims are validated separately. */
export const serviceAccountBody = z.strictObject({
  name: labelName,
  issuer_url: z.string().max(2048),
  claims: z.unknown(),
});

/** When a credential expires, as a client sets it. */
function expiry({ now }: Pick<Clock, 'now'>) {
  return instant.refine((time) => Date.parse(time) > now(), 'must be in the future').optional();
}

/** The body of a deployment. */
export function deploymentBody(clock: Pick<Clock, 'now'>) {
  return z.strictObject({ environment: labelName, expires_at: expiry(clock) });
}

/** A week: long enough to roll out a credential everywhere, short enough to limit the damage of a leak. */
const maxOverlapSeconds = 7 * 86_400;

/** The body of `POST .../rotate-credential`, which is optional. */
export function rotateCredentialBody(clock: Pick<Clock, 'now'>) {
  return z.strictObject({
    overlap_seconds: z
      .int('must be a whole number of seconds')
      .min(0, 'must be at least 0')
      .max(maxOverlapSeconds, `must be at most ${maxOverlapSeconds}`)
      .default(3600),
    expires_at: expiry(clock),
  });
}
export type RotateCredentialBody = z.output<ReturnType<typeof rotateCredentialBody>>;

/** The body of an extension; `spec` is validated by the rules of the OAuth proxy. */
export const extensionBody = z.strictObject({
  name: labelName,
  type: z.literal('oauth', 'must be oauth'),
  spec: z.unknown(),
});
