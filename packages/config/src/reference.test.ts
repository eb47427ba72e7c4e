import { readFileSync } from 'node:fs';
import { softwareVersion } from './index.ts';
import { referencePage } from './reference.ts';

const repository = new URL('../../../', import.meta.url);

describe('the configuration reference', () => {
  it('is current: run `pnpm docs:configuration` after changing a key', () => {
    const page = readFileSync(new URL('docs/configuration.md', repository), 'utf8');
    expect(page).toBe(referencePage());
  });

  it('explains every key', () => {
    for (const line of referencePage().split('\n')) {
      if (/^\| `[a-z_]+\.[a-z_.[\]]+` \|/.test(line)) expect(line).toMatch(/ \| [A-Z`][^|]{10,} \|$/);
    }
  });
});

it('has the version of the repository', () => {
  const manifest = JSON.parse(readFileSync(new URL('package.json', repository), 'utf8'));
  expect(softwareVersion).toBe(manifest.version);
});
