import { readFileSync } from 'node:fs';
import { messages } from './messages.ts';

const documentation = readFileSync(new URL('../../../../docs/oauth-proxy.md', import.meta.url), 'utf8');

it.each([
  messages.endpoints,
  messages.issuerUrl,
  messages.state,
  messages.browser,
  messages.code,
  messages.waiting,
  messages.exchange(400).replace('400', 'N'),
])('the documentation explains: %s', (message) => {
  expect(documentation).toContain(`| \`${message}\` |`);
});
