import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { auditActions } from '@platform/access';

const root = new URL('../../../', import.meta.url).pathname;
/** Where actions are recorded. */
const sources = ['apps/api/src', 'packages/projects/src', 'packages/store-postgres/src'];

it('every action that docs/audit.md lists is recorded somewhere', () => {
  const text = sources
    .flatMap((directory) =>
      readdirSync(join(root, directory), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
        .map((file) => readFileSync(join(root, directory, file), 'utf8')),
    )
    .join('\n');
  // The actions of kinds below projects are made of their noun and a verb (packages/projects/src/usecases/audited.ts).
  const isComposed = (action: string) => text.includes(`noun: '${action.split('.')[0]}',`);
  const unused = Object.keys(auditActions).filter(
    (action) => !isComposed(action) && !text.includes(`'${action}'`),
  );
  expect(unused).toEqual([]);
});
