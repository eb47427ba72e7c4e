import { z } from 'zod';
import { email, labelName, organizationName, origin, projectUrl } from './fields.ts';
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

const teamFields = { members: teamMembers.default([]) };

/** The body of `POST /teams`. */
export const createTeamBody = z.strictObject({
  name: labelName,
  organization: organizationName.optional(),
  ...teamFields,
});
export type CreateTeamBody = z.output<typeof createTeamBody>;

/** The body of `PUT /teams/{team}`. */
export const replaceTeamBody = z.strictObject({ ...tenantReadBack, ...teamFields });
export type ReplaceTeamBody = z.output<typeof replaceTeamBody>;
