import { createRoles } from './roles.ts';

describe('roles', () => {
  const roles = createRoles(['Admin@Example.com'], ['kim@example.com']);

  it('compare addresses without case', () => {
    expect(roles.isOperator('ADMIN@example.COM')).toBe(true);
    expect(roles.isAdmin('Kim@Example.com')).toBe(true);
  });

  it('keep operators and admins apart', () => {
    expect(roles.isAdmin('admin@example.com')).toBe(false);
    expect(roles.isOperator('kim@example.com')).toBe(false);
  });

  it('do not take a Kelvin sign for a k, nor a longer address for a shorter one', () => {
    expect('\u212Aim'.toLowerCase()).toBe('kim');
    expect(roles.isAdmin('\u212Aim@example.com')).toBe(false);
    expect(roles.isAdmin(' kim@example.com')).toBe(false);
    expect(roles.isAdmin('kim@example.com.attacker.example')).toBe(false);
  });
});
