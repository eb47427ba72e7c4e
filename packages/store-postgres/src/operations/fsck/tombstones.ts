import { cascadeFinalizer } from '@platform/resources';
import { blocksOwner, isChildOf, isOwnedBy } from '../resources/dependents.ts';
import { type Check, hasOwners, resourceName } from './check.ts';

/** SQL that is true for a time so long ago that the collector must have done its work since. */
const isOverdue = (time: string) => `${time} < now() - make_interval(secs => $1::float8)`;
/** SQL that is true when an existing row blocks the removal of `r`. */
const isBlocked = `(exists (select from resources c where ${isChildOf('r.uid', 'c')})
    or exists (select from resources o where ${isOwnedBy('r.uid', 'o')} and ${blocksOwner('r.uid', 'o')}))`;

/** The invariants of tombstones and their dependents that the collector maintains. */
export const tombstoneChecks: readonly Check[] = [
  {
    name: 'reserved_finalizer_on_live_row',
    invariant: 'only a tombstone has a finalizer of the store',
    text: `select r.uid, ${resourceName('r')} || ': it is live' from resources r
      where r.deletion_timestamp is null
        and exists (select from unnest(r.finalizers) f where f like 'system.platform.dev/%')`,
  },
  {
    name: 'live_below_tombstone',
    invariant:
      'the live dependents of a tombstone are tombstoned soon, unless they are protected; the collector does it',
    text: `select r.uid, ${resourceName('r')} || ': ' || ${resourceName('above')} || ' is tombstoned since '
        || above.deletion_timestamp
      from resources above
      join lateral (
        select child.uid, child.kind, child.name, child.api_version, child.deletion_timestamp, child.deletion_protected
        from resources child where child.parent_uid = above.uid
        union
        select dependent.uid, dependent.kind, dependent.name, dependent.api_version, dependent.deletion_timestamp,
          dependent.deletion_protected
        from resources dependent
        where ${hasOwners('dependent')}
          and owner_uids(dependent.owner_references::jsonb) @> array[above.uid]) r on true
      where ${isOverdue('above.deletion_timestamp')} and r.deletion_timestamp is null
        and not r.deletion_protected`,
  },
  {
    name: 'unfinished_cascade',
    invariant: 'the dependents that a deletion left to the collector are marked as deleted soon',
    text: `select p.owner_uid, p.kind || ' ' || p.name || ' of ' || split_part(p.api_version, '/', 1) || ': deleted ' || p.time
        || case when exists (select from resources r where r.uid = p.owner_uid) then '' else ', and removed' end
      from pending_cascades p where ${isOverdue('p.time')}`,
  },
  {
    name: 'free_tombstone',
    invariant: 'a tombstone that nothing holds is removed soon; the collector does it',
    text: `select r.uid, ${resourceName('r')} || ': deleted at ' || r.deletion_timestamp from resources r
      where ${isOverdue('r.deletion_timestamp')} and r.finalizers <@ array['${cascadeFinalizer}'] and not ${isBlocked}`,
  },
  {
    name: 'wrong_cascade_finalizer',
    invariant:
      'a tombstone has the finalizer of cascading deletion while something blocks its removal, and only then',
    text: `select r.uid, ${resourceName('r')} || case when ${isBlocked} then ': it lacks the finalizer' else ': nothing blocks it' end
      from resources r where ${isOverdue('r.deletion_timestamp')} and ('${cascadeFinalizer}' = any (r.finalizers)) <> ${isBlocked}`,
  },
  {
    name: 'timestamp_in_future',
    invariant: 'no creation or deletion is more than an hour ahead of the clock',
    text: `select r.uid, ${resourceName('r')} || ': created at ' || r.created_at
        || coalesce(', deleted at ' || r.deletion_timestamp, '')
      from resources r where greatest(r.created_at, r.deletion_timestamp) > now() + interval '1 hour'`,
  },
];
