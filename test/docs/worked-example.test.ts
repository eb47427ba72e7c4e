import { freePort } from '@platform/testkit';
import { runPage } from './run-page.ts';

it('the worked example does what it says, from top to bottom', async () => {
  const [port, issuerPort] = [await freePort(), await freePort()];
  const runs = await runPage('docs/worked-example.md', {
    PORT: String(port),
    ISSUER_PORT: String(issuerPort),
  });
  expect(runs.length).toBeGreaterThan(15);
}, 600_000);
