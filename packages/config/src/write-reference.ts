import { writeFileSync } from 'node:fs';
import { referencePage } from './reference.ts';

// Run from `dist`: writes the page that reference.test.ts compares.
writeFileSync(new URL('../../../docs/configuration.md', import.meta.url), referencePage());
