import { isLive } from '../resources/pending-cascades.ts';
import { type Check, hasOwners, resourceName } from './check.ts';
import { ownershipCycles } from './ownership-cycles.ts';

/**
 * The rows that a row depends on: its parent and its owners.
 *
 *     root <- parent <- row -> owner
 */
export const structureChecks: readonly Check[] = [
  {
    name: 'missing_parent',
    invariant: 'the parent of a row exists',
    text: `select r.uid, ${resourceName('r')} || ': its parent ' || r.parent_uid || ' is missing' from resources r
      where r.parent_uid is not null and not exists (select from resources p where p.uid = r.parent_uid)`,
  },
  {
    name: 'parent_cycle',
    invariant: 'every chain of parents ends at a root',
    // From the roots and the rows whose parent is missing downwards; what is not met lies in a circle or below one.
    text: `with recursive met(uid) as (
        select r.uid from resources r
        where r.parent_uid is null or not exists (select from resources p where p.uid = r.parent_uid)
        union all
        select child.uid from met join resources child on child.parent_uid = met.uid)
      select r.uid, ${resourceName('r')} || ': its parents run in a circle' from resources r
      where not exists (select from met where met.uid = r.uid)`,
  },
  {
    name: 'too_deep',
    invariant: 'a row has at most 32 ancestors',
    text: `with recursive met(uid, depth) as (
        select uid, 0 from resources where parent_uid is null
        union all
        select child.uid, met.depth + 1 from met join resources child on child.parent_uid = met.uid)
      select r.uid, ${resourceName('r')} || ': it has ' || met.depth || ' ancestors'
      from met join resources r on r.uid = met.uid where met.depth > 32`,
  },
  {
    name: 'wrong_ancestors',
    invariant:
      'a row lists the names and uids of its ancestors, root first: those of its parent, and the parent',
    text: `select r.uid, ${resourceName('r')} || ': its lists say ' || array_to_string(r.ancestors, '/') || ' with the uids '
        || array_to_string(r.ancestor_uids, ', ')
      from resources r left join resources p on p.uid = r.parent_uid
      where r.ancestors is distinct from case when p.uid is null then '{}' else p.ancestors || p.name::text end
        or r.ancestor_uids is distinct from case when p.uid is null then '{}' else p.ancestor_uids || p.uid end`,
  },
  {
    name: 'ownership_cycle',
    invariant: 'parents and owners together form no cycle',
    find: ownershipCycles,
  },
  {
    name: 'missing_owner',
    invariant: 'the owners of a live row exist',
    text: `select r.uid, ${resourceName('r')} || ': its owner ' || owner.uid || ' is missing' from resources r
      cross join lateral unnest(owner_uids(r.owner_references::jsonb)) owner(uid)
      where ${hasOwners('r')} and ${isLive('r')}
        and not exists (select from resources o where o.uid = owner.uid)`,
  },
  {
    name: 'mismatched_owner',
    invariant: 'an owner reference names the group, kind and name of the row with its uid',
    text: `select r.uid, ${resourceName('r')} || ': a reference says ' || (entry ->> 'kind') || ' ' || (entry ->> 'name')
        || ', and its uid is ' || ${resourceName('o')}
      from resources r cross join lateral jsonb_array_elements(r.owner_references::jsonb) entry
      join resources o on o.uid = (entry ->> 'uid')::uuid
      where ${hasOwners('r')} and (o.kind, o.name, o.api_group) is distinct from
        (entry ->> 'kind', entry ->> 'name', split_part(entry ->> 'apiVersion', '/', 1))`,
  },
  {
    name: 'duplicate_owner',
    invariant: 'a row names an owner once',
    text: `select r.uid, ${resourceName('r')} || ': it names the owner ' || owner.uid || ' ' || count(*) || ' times'
      from resources r cross join lateral unnest(owner_uids(r.owner_references::jsonb)) owner(uid)
      where ${hasOwners('r')} group by r.uid, owner.uid having count(*) > 1`,
  },
];
