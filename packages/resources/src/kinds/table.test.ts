import { widgets } from '../../test/fixtures.ts';
import { validateDefinitionIdentity } from '../rules/validate-definition.ts';
import { organizations } from './organization.ts';
import { resourceDefinitions } from './resource-definition.ts';
import {
  builtInCollectionOf,
  builtInCollections,
  findBuiltInCollection,
  registeredKind,
  strategyOf,
} from './table.ts';

const operator = { type: 'operator', email: 'o@example.dev' } as const;
const controller = { type: 'controller', id: 'ctrl.example' } as const;

describe('built-in kinds', () => {
  it.each([organizations, resourceDefinitions])('finds $kind by plural and by kind', (collection) => {
    expect(findBuiltInCollection('platform.dev', collection.plural)).toBe(collection);
    expect(builtInCollectionOf(collection)).toBe(collection);
    expect(strategyOf(collection)).not.toBe(registeredKind);
  });

  it.each([organizations, resourceDefinitions])(
    'denies controllers every operation on $kind, and owners to its resources',
    (collection) => {
      const listed = { ...collection, allowedStatusControllerIds: [controller.id] };
      const strategy = strategyOf(collection);
      expect(strategy.allows(operator, 'item', listed, 'write')).toBe(true);
      expect(strategy.allows(controller, 'status', listed, 'write')).toBe(false);
      expect(strategy.allowsOwnerReferences).toBe(false);
    },
  );

  it.each(builtInCollections)('reserves the plural $plural in every group', ({ plural }) => {
    const register = () =>
      validateDefinitionIdentity(`${plural}.example.dev`, { group: 'example.dev', plural });
    expect(register).toThrow(`${plural} is reserved`);
  });

  it('does not take a registered kind with the same name for a built-in one', () => {
    const custom = { ...organizations, group: 'example.dev' };
    expect(findBuiltInCollection('example.dev', 'organizations')).toBeNull();
    expect(builtInCollectionOf(custom)).toBeNull();
    expect(strategyOf(custom)).toBe(registeredKind);
  });
});

describe('registered kinds', () => {
  it.each([
    ['status', true],
    ['finalizers', true],
    ['item', false],
    ['collection', false],
    ['deletionBlockers', false],
  ] as const)('answer a listed controller that uses %s: %s', (form, allowed) => {
    expect(registeredKind.allows(controller, form, widgets, 'read')).toBe(allowed);
    expect(registeredKind.allows(operator, form, widgets, 'write')).toBe(true);
  });

  it('deny a controller that the definition does not list', () => {
    const nobody = { ...widgets, allowedStatusControllerIds: [] };
    expect(registeredKind.allows(controller, 'status', nobody, 'write')).toBe(false);
  });
});
