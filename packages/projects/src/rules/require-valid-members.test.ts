import { Problem } from '@platform/kernel';
import { z } from 'zod';
import { requireValidMembers } from './require-valid-members.ts';

it('names a fault once that the schema and the reader of the member find', () => {
  const schema = z.strictObject({ name: z.string({ error: 'must be a string' }), claims: z.unknown() });
  const required = { path: '/claims', message: 'is required' };
  const audience = { path: '/claims/aud', message: 'is required' };
  let thrown: unknown;
  try {
    requireValidMembers(schema, { name: 5 }, () => [required, audience]);
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(Problem);
  expect((thrown as Problem).errors?.map(({ path, message }) => `${path} ${message}`)).toEqual([
    '/name must be a string',
    '/claims is required',
    '/claims/aud is required',
  ]);
});
