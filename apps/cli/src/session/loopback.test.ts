import { once } from 'node:events';
import { connect } from 'node:net';
import { listenOnLoopback } from './loopback.ts';

it('a connection that the browser opened in advance does not outlive the login', async () => {
  const loopback = await listenOnLoopback();
  const { hostname, port } = new URL(loopback.redirectUri);
  const speculative = connect(Number(port), hostname);
  await once(speculative, 'connect');
  const redirect = loopback.redirect('s', new AbortController().signal);
  const page = await fetch(`${loopback.redirectUri}?state=s&code=c`);
  expect((await redirect).get('code')).toBe('c');
  const closed = once(speculative.resume(), 'close');
  loopback.close();
  await closed;
  expect(await page.text()).toContain('You can close this window');
});
