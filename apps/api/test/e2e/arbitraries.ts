import fc from 'fast-check';
import {
  type Address,
  ancestorsOf,
  type CustomKind,
  isCustom,
  type Kind,
  kinds,
  labelOf,
} from './address.ts';
import { shapeCount } from './definition-shapes.ts';
import { annotations, type Content, type Operation, type Owner, specs, values } from './operation.ts';

const name = fc.constantFrom('a', 'b');
const customKind = fc.constantFrom<CustomKind[]>('Alpha', 'Beta', 'Gamma');
const version = fc.oneof(
  { weight: 9, arbitrary: fc.constant('v1') },
  { weight: 1, arbitrary: fc.constant('v2') },
);
const by = fc.oneof(
  { weight: 3, arbitrary: fc.constant('path' as const) },
  { weight: 1, arbitrary: fc.constant('uid' as const) },
);
const finalizer = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('ctrl.example.dev/x', 'other.example.dev/y', 'free/z') },
  { weight: 1, arbitrary: fc.constant('system.platform.dev/cascade-deletion') },
);
const finalizers = fc.oneof(
  { weight: 3, arbitrary: fc.constant([]) },
  { weight: 1, arbitrary: fc.array(finalizer, { maxLength: 2 }) },
);

// Mostly below what is there from the start, so that most requests get past their parents.
const ancestor = fc.oneof(
  { weight: 4, arbitrary: fc.constant('a') },
  { weight: 1, arbitrary: fc.constant('b') },
);

const addressOf = (kind: Kind): fc.Arbitrary<Address> => {
  if (kind === 'ResourceDefinition') return customKind.map((defined) => ({ kind, names: [defined] }));
  const depth = isCustom(kind) ? ancestorsOf[kind].length : 0;
  const above = fc.array(ancestor, { minLength: depth, maxLength: depth });
  return fc.tuple(above, name).map(([ancestors, own]) => ({ kind, names: [...ancestors, own] }));
};

/** Items; mostly custom ones. */
const address: fc.Arbitrary<Address> = fc.oneof(
  { weight: 3, arbitrary: addressOf('Alpha') },
  { weight: 4, arbitrary: addressOf('Beta') },
  { weight: 4, arbitrary: addressOf('Gamma') },
  { weight: 1, arbitrary: addressOf('Organization') },
);
const anyAddress = fc.oneof(
  { weight: 8, arbitrary: address },
  { weight: 1, arbitrary: addressOf('ResourceDefinition') },
);

/** Items that are there at the start of a run, and most of the time after it. */
const firstItem = fc.constantFrom<Address[]>(
  { kind: 'Alpha', names: ['a'] },
  { kind: 'Alpha', names: ['b'] },
  { kind: 'Beta', names: ['a', 'a'] },
  { kind: 'Gamma', names: ['a', 'a', 'a'] },
  { kind: 'Organization', names: ['a'] },
);
const likelyItem = fc.oneof({ weight: 3, arbitrary: firstItem }, { weight: 2, arbitrary: address });
const likelyAddress = fc.oneof({ weight: 3, arbitrary: firstItem }, { weight: 2, arbitrary: anyAddress });

const owner: fc.Arbitrary<Owner> = fc.record({
  of: likelyAddress,
  blocking: fc.boolean(),
  flaw: fc.oneof(
    { weight: 8, arbitrary: fc.constant('none' as const) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('name' as const, 'kind' as const, 'group' as const, 'version' as const),
    },
  ),
});

const content: fc.Arbitrary<Content> = fc.record({
  spec: fc.nat(specs.length - 1),
  annotations: fc.nat(annotations.length - 1),
  finalizers,
  owners: fc.oneof(
    { weight: 2, arbitrary: fc.constant([]) },
    {
      weight: 2,
      arbitrary: fc.uniqueArray(owner, { minLength: 1, maxLength: 2, selector: ({ of }) => labelOf(of) }),
    },
  ),
});

const as = fc.oneof(
  { weight: 5, arbitrary: fc.constant('operator' as const) },
  { weight: 3, arbitrary: fc.constant('controller' as const) },
  { weight: 1, arbitrary: fc.constantFrom('other-controller' as const, 'user' as const) },
);
const mostlyOperator = fc.oneof(
  { weight: 9, arbitrary: fc.constant('operator' as const) },
  { weight: 1, arbitrary: as },
);

// Mostly shapes that leave `v1` the storage version, so that most writes are good ones.
const shape = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(0, 0, 1, 5, 6) },
  { weight: 1, arbitrary: fc.nat(shapeCount - 1) },
);

/** The operations of clients on items. Deletes and creates are about as frequent, so that names come and go. */
const requests = [
  { weight: 12, arbitrary: fc.record({ do: fc.constant('create' as const), at: address, version, content }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('get' as const),
      at: anyAddress,
      by,
      version,
      as: mostlyOperator,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('replace' as const),
      at: likelyItem,
      by,
      version,
      revision: fc.oneof(
        { weight: 6, arbitrary: fc.constant('current' as const) },
        { weight: 1, arbitrary: fc.constantFrom('older' as const, 'newer' as const, 'none' as const) },
      ),
      content,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('status' as const),
      at: likelyAddress,
      by,
      as,
      slot: fc.constantFrom(null, null, 'ctrl.example.dev', '__proto__'),
      value: fc.option(fc.nat(values.length - 1)),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('finalizers' as const),
      at: likelyAddress,
      by,
      as,
      add: fc.array(finalizer, { maxLength: 2 }),
      remove: fc.array(finalizer, { maxLength: 3 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('delete' as const), at: address, by, as: mostlyOperator }),
  },
] as const;

const looks = [
  {
    weight: 2,
    arbitrary: customKind.chain((kind) =>
      fc.record({
        do: fc.constant('list' as const),
        kind: fc.constant(kind),
        below: fc.array(ancestor, {
          minLength: ancestorsOf[kind].length,
          maxLength: ancestorsOf[kind].length,
        }),
        limit: fc.constantFrom(1, 2, 500),
      }),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('stray' as const),
      at: anyAddress,
      through: fc.constantFrom(...kinds, 'Nowhere' as const),
      method: fc.constantFrom('GET' as const, 'DELETE' as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('blockers' as const), at: likelyAddress, by }) },
] as const;

const definitions = [
  { weight: 1, arbitrary: fc.record({ do: fc.constant('define' as const), kind: customKind, shape }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('redefine' as const), kind: customKind, shape }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('delete' as const),
      at: addressOf('ResourceDefinition'),
      by,
      as: fc.constant('operator' as const),
    }),
  },
] as const;

const collector = [
  { weight: 1, arbitrary: fc.record({ do: fc.constant('killCollector' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('startCollector' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('deleteAndKillCollector' as const), at: address }) },
] as const;

/** Everything that may happen while several clients use the service. */
export const anyOperation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 30, arbitrary: fc.oneof(...requests) },
  { weight: 5, arbitrary: fc.oneof(...looks) },
  { weight: 4, arbitrary: fc.oneof(...definitions) },
  { weight: 1, arbitrary: fc.oneof(...collector) },
);

/** The next operation of one of many concurrent clients. */
export const clientOperation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 30, arbitrary: fc.oneof(...requests) },
  { weight: 4, arbitrary: fc.oneof(...looks) },
  { weight: 3, arbitrary: fc.oneof(...definitions) },
);
