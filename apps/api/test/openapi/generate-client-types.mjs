import { text } from 'node:stream/consumers';
import openapiTypescript, { astToString } from 'openapi-typescript';

// Reads an OpenAPI document from standard input and writes its types. A process of its own: the generator needs another compiler.
const document = JSON.parse(await text(process.stdin));
const header = `/**
 * The types of the API, generated from its OpenAPI document. Do not edit; generate with
 * UPDATE_CLIENT_TYPES=1 pnpm jest apps/api/test/openapi/client-types
 */

`;
process.stdout.write(
  header + astToString(await openapiTypescript(document, { immutable: true, emptyObjectsUnknown: true })),
);
