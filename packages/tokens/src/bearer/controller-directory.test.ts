import { createControllerDirectory } from './controller-directory.ts';

describe('the directory of controllers', () => {
  it('keeps numbers and booleans as their JSON text', () => {
    const claims = { aud: 'x', id: 7, bot: true };
    const [entry] = createControllerDirectory([{ id: 'c', issuer: 'https://c.example', claims }]).entries();
    expect({ ...entry?.claims }).toEqual({ aud: 'x', id: '7', bot: 'true' });
  });

  it('refuses an entry without an audience', () => {
    const entry = { id: 'c', issuer: 'https://c.example', claims: { sub: 'x' } };
    expect(() => createControllerDirectory([entry])).toThrow('controller c: /claims/aud is required');
  });
});
