import { organizations, platformGroup, resourceDefinitions } from '@platform/resources';
import { type Check, hasOwners, resourceName } from './check.ts';

/** Checks of a row by itself, and among its siblings. Most are constraints too, which a restore may have left out. */
export const rowChecks: readonly Check[] = [
  {
    name: 'duplicate_name',
    invariant: 'group, kind and name are unique among siblings',
    text: `select min(r.uid::text), r.kind || ' ' || r.name || ' of ' || r.api_group || ': '
        || string_agg(r.uid::text, ', ' order by r.uid)
      from resources r group by r.parent_uid, r.api_group, r.kind, r.name having count(*) > 1`,
  },
  {
    name: 'duplicate_discriminator',
    invariant: 'a discriminator is unique among siblings',
    text: `select min(r.uid::text), r.discriminator || ': ' || string_agg(r.uid::text, ', ' order by r.uid)
      from resources r group by r.parent_uid, r.discriminator having count(*) > 1`,
  },
  {
    name: 'bad_discriminator',
    invariant: 'a discriminator is eight of a-z, 0-9 and hyphen, without a hyphen at the ends',
    text: `select r.uid, ${resourceName('r')} || ': ' || r.discriminator from resources r
      where r.discriminator !~ '^[a-z0-9][a-z0-9-]{6}[a-z0-9]$'`,
  },
  {
    name: 'bad_document',
    invariant: 'metadata, spec and status are objects, with annotations and controllers in their places',
    text: `select r.uid, ${resourceName('r')} || ': ' || concat_ws(', ',
        case when json_typeof(r.metadata -> 'annotations') is distinct from 'object' then 'metadata' end,
        case when json_typeof(r.spec) <> 'object' then 'spec' end,
        case when json_typeof(r.status -> 'controllers') is distinct from 'object' then 'status' end)
      from resources r where json_typeof(r.spec) <> 'object'
        or json_typeof(r.metadata -> 'annotations') is distinct from 'object'
        or json_typeof(r.status -> 'controllers') is distinct from 'object'`,
  },
  {
    name: 'wrong_label_index',
    invariant: 'resource_labels has an entry for each label of a row and for its key, and no other',
    text: `with wanted as (
        select l.label, r.api_group::text, r.kind::text, ancestor_path(r.ancestors) as path, r.name::text, r.uid
        from resources r cross join lateral (
          select key || '=' || value as label from jsonb_each_text(r.labels) union all select jsonb_object_keys(r.labels)) l
        where r.labels <> '{}'),
      stored as (select label, api_group, kind, path, name, uid from resource_labels)
      select uid, kind || ' ' || name || ': the label ' || label || ' is missing' from (select * from wanted except all select * from stored) m
      union all
      select uid, kind || ' ' || name || ': it has no label ' || label from (select * from stored except all select * from wanted) s`,
  },
  {
    name: 'bad_revision',
    invariant: 'revision and generation begin at 1, and generation never passes revision',
    text: `select r.uid, ${resourceName('r')} || ': revision ' || r.revision || ', generation ' || r.generation
      from resources r where r.revision < 1 or r.generation < 1 or r.generation > r.revision`,
  },
  {
    name: 'bad_finalizers',
    invariant: 'finalizers are stored once each, and none is empty',
    text: `select r.uid, ${resourceName('r')} || ': ' || array_to_string(r.finalizers, ', ', '(null)') from resources r
      where r.finalizers <> '{}' and (select count(distinct f) <> count(*) or bool_or(f is null or f = '')
        from unnest(r.finalizers) f)`,
  },
  {
    name: 'built_in_as_dependent',
    invariant: 'an Organization or ResourceDefinition has no parent and no owner',
    text: `select r.uid, ${resourceName('r')} from resources r
      where r.api_group = '${platformGroup}' and r.kind in ('${organizations.kind}', '${resourceDefinitions.kind}')
        and (r.parent_uid is not null or ${hasOwners('r')})`,
  },
];
