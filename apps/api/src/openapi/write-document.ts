import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { softwareVersion } from '@platform/config';
import { openApiDocument, type RegisteredKinds } from './document.ts';
import { embeddedSchema } from './embedded-schema.ts';
import { registeredTag, specComponent } from './kinds.ts';

// `pnpm lint:openapi`: writes the documents that the linter reads, as an installation would serve them: without and with kinds.
const [plain, withKinds] = process.argv.slice(2);
if (plain === undefined || withKinds === undefined) {
  throw new Error('usage: write-document.js <file> <file with kinds>');
}
const settings = {
  publicUrl: 'https://platform.example',
  version: softwareVersion,
  sessionCookie: '__Host-platform_session',
};
const tractor = { group: 'farm.example.dev', kind: 'Tractor', plural: 'tractors', version: 'v1' };
const schema = {
  type: 'object',
  properties: { wheels: { $ref: '#/$defs/count' } },
  $defs: { count: { type: 'integer', minimum: 3 } },
  examples: [{ wheels: 4 }],
};
const registered: RegisteredKinds = {
  kinds: [
    {
      ...tractor,
      storage: true,
      ancestors: ['farm'],
      parameter: 'tractor',
      spec: embeddedSchema(schema, specComponent(tractor)),
      tag: registeredTag,
      statusIds: ['controller.example.com'],
    },
  ],
  truncated: false,
};
write(plain, openApiDocument(settings));
write(withKinds, openApiDocument(settings, registered));

function write(file: string, document: object): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(document, null, 2)}\n`);
}
