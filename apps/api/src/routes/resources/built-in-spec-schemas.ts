import { roleSpec } from '@platform/access';
import { definitionSpec, organizationSpec, roleBindingSpec, subscriptionSpec } from '@platform/resources';
import type { Schema } from '../../endpoint/documentation.ts';
import { fromZod } from '../../endpoint/from-zod.ts';

/** A rule of a role. */
const rule = '/properties/rules/items/properties';

/** The specs of the built-in kinds, from the schemas that validate them. */
export const builtInSpecSchemas: Readonly<Record<string, Schema>> = {
  OrganizationSpec: fromZod(organizationSpec),
  ResourceDefinitionSpec: fromZod(definitionSpec, {
    '/properties/versions': {
      description:
        'Exactly one has `storage: true`, at least one `served: true`, and each name appears once.',
    },
  }),
  RoleSpec: fromZod(roleSpec, {
    '/properties/rules': {
      description: 'A request is allowed when one rule names its group, its resource, its name and its verb.',
    },
    [`${rule}/apiGroups`]: { description: 'Groups of kinds; `*` for each.' },
    [`${rule}/resources`]: { description: 'Plurals, or `plural/subresource`; `*` for each.' },
    [`${rule}/resourceNames`]: { description: 'Only resources with these names.' },
  }),
  RoleBindingSpec: fromZod(roleBindingSpec, {
    '/properties/roleRef/properties/name': { description: 'The name of a Role.' },
    '/properties/subjects/items/properties/name': {
      description: 'An e-mail address, a group, a service account, or the id of a controller.',
    },
    '/properties/scope': {
      description: 'The binding covers this resource and everything below it; everything without it.',
    },
  }),
  SubscriptionSpec: fromZod(subscriptionSpec, {
    '': { required: ['url'] },
    '/properties/url': { description: 'An https URL that takes CloudEvents.' },
    '/properties/secret': {
      description:
        'Base64 of 24 to 64 bytes, stored sealed and never shown again. A new subscription needs it; a replacement without it keeps the one before.',
    },
    '/properties/suspend': { description: 'No change is delivered while it is true.' },
    '/properties/selector': { description: 'Which changes are delivered; all of them without it.' },
  }),
};
