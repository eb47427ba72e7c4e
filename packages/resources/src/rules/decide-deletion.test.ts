import { cascadeFinalizer } from '../model/names.ts';
import { decideCollection, decideDeletion } from './decide-deletion.ts';

const facts = (tombstoned: boolean, finalizers: string[], blocked: boolean) => ({
  tombstoned,
  finalizers,
  blocked,
});

describe('the transition table', () => {
  it.each([
    ['live, without finalizers and blockers', facts(false, [], false), 'remove'],
    ['live with a finalizer', facts(false, ['f'], false), 'tombstone'],
    ['live with a blocking dependent', facts(false, [], true), 'tombstone'],
    ['live with both', facts(false, ['f'], true), 'tombstone'],
    ['tombstoned and blocked', facts(true, [cascadeFinalizer], true), 'wait'],
    ['tombstoned with a finalizer', facts(true, ['f'], false), 'wait'],
    ['tombstoned, only the cascade finalizer left', facts(true, [cascadeFinalizer], false), 'remove'],
    ['tombstoned, without finalizers and blockers', facts(true, [], false), 'remove'],
  ])('DELETE, %s: %o gives %s', (_, row, decision) => {
    expect(decideDeletion(row)).toBe(decision);
  });

  it.each([
    ['live', facts(false, [], false), 'ignore'],
    ['live and blocked', facts(false, ['f'], true), 'ignore'],
    ['blocked', facts(true, [], true), 'block'],
    ['blocked with finalizers', facts(true, ['f', cascadeFinalizer], true), 'block'],
    ['kept by another finalizer', facts(true, ['f', cascadeFinalizer], false), 'hold'],
    ['only the cascade finalizer left', facts(true, [cascadeFinalizer], false), 'remove'],
    ['free', facts(true, [], false), 'remove'],
  ])('the collector, %s: %o gives %s', (_, row, decision) => {
    expect(decideCollection(row)).toBe(decision);
  });
});
