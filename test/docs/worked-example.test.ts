import { freePort } from '@platform/development/testing';
import { personAtBrowser } from './person-at-browser.ts';
import { runPage } from './run-page.ts';

it('the worked example does what it says, from top to bottom', async () => {
  const [port, issuerPort] = [await freePort(), await freePort()];
  const person = await personAtBrowser('admin');
  const runs = await runPage('docs/worked-example.md', {
    PORT: String(port),
    ISSUER_PORT: String(issuerPort),
    BROWSER: person.program,
  }).finally(person.close);
  expect(runs.length).toBeGreaterThan(15);
}, 600_000);
