import { type Check, isBuiltIn, namesBuiltIn, resourceName } from './check.ts';

const declares = `d.definition_group = r.api_group and d.definition_kind = r.kind`;
const parentOf = (part: 'group' | 'kind') =>
  part === 'kind'
    ? `d.spec -> 'parent' ->> 'kind'`
    : `split_part(d.spec -> 'parent' ->> 'apiVersion', '/', 1)`;

/** Rows and definitions must agree about this. */
export const definitionChecks: readonly Check[] = [
  {
    name: 'no_definition',
    invariant:
      'every kind with rows is registered; the repair is to register it again with the same identity',
    text: `select min(r.uid::text), r.kind || ' of ' || r.api_group || ': ' || count(*) || ' rows' from resources r
      where not ${isBuiltIn('r')} and not exists (select from resources d where ${declares})
      group by r.api_group, r.kind`,
  },
  {
    name: 'undeclared_version',
    invariant: 'a row is stored at a version that its definition declares',
    text: `select r.uid, ${resourceName('r')} from resources r join resources d on ${declares}
      where not exists (select from json_array_elements(d.spec -> 'versions') v
        where v ->> 'name' = split_part(r.api_version, '/', 2))`,
  },
  {
    name: 'parent_of_another_kind',
    invariant:
      'the parent of a row is of the kind that its definition names, and there is none when it names none',
    text: `select r.uid, ${resourceName('r')} || ': its parent is '
        || coalesce(${resourceName('p')}, 'none') || ', its definition says ' || coalesce(${parentOf('kind')}, 'none')
      from resources r join resources d on ${declares} left join resources p on p.uid = r.parent_uid
      where (r.parent_uid is null or p.uid is not null)
        and (p.api_group, p.kind::text) is distinct from (${parentOf('group')}, ${parentOf('kind')})`,
  },
  {
    name: 'tombstoned_definition_with_rows',
    invariant: 'a definition is deleted only when no row of its kind is left',
    text: `select d.uid, ${resourceName('d')} || ': ' || count(*) || ' rows are left'
      from resources d join resources r on ${declares}
      where d.deletion_timestamp is not null group by d.uid, d.kind, d.name, d.api_version`,
  },
  {
    name: 'duplicate_definition',
    invariant: 'plural, and group with kind, belong to one definition',
    text: `select d.uid, ${resourceName('d')} || ': ' || ${resourceName('other')} || ' claims the same'
      from resources d join resources other on other.uid <> d.uid and (other.definition_plural = d.definition_plural
        or (other.definition_group, other.definition_kind) = (d.definition_group, d.definition_kind))`,
  },
  {
    name: 'bad_versions',
    invariant: 'a definition stores one version, serves at least one, and names each once',
    text: `select d.uid, ${resourceName('d')} from resources d where d.definition_kind is not null and (
        select count(*) filter (where (v ->> 'storage')::boolean) <> 1
          or count(*) filter (where (v ->> 'served')::boolean) = 0
          or count(distinct v ->> 'name') <> count(*)
        from json_array_elements(d.spec -> 'versions') v)`,
  },
  {
    name: 'missing_parent_definition',
    invariant: 'the parent kind of a definition is built in or registered',
    text: `select d.uid, ${resourceName('d')} || ': nothing declares ' || (d.spec -> 'parent' ->> 'kind') from resources d
      where d.definition_kind is not null and ${parentOf('kind')} is not null
        and not ${namesBuiltIn(parentOf('group'), parentOf('kind'))}
        and not exists (select from resources p
          where p.definition_group = ${parentOf('group')} and p.definition_kind = ${parentOf('kind')})`,
  },
];
