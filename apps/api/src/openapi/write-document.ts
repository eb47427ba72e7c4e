import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { platformVersion } from '@platform/config';
import { openApiDocument } from './document.ts';

// `pnpm lint:openapi`: writes the document that the linter reads, as an installation would serve it.
const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('usage: write-document.js <file>');
const document = openApiDocument({
  publicUrl: 'https://platform.example',
  version: platformVersion,
  sessionCookie: '__Host-platform_session',
});
mkdirSync(dirname(file), { recursive: true });
writeFileSync(file, `${JSON.stringify(document, null, 2)}\n`);
