import {
  devicePath,
  formatUserCode,
  type LoginPorts,
  normalizeUserCode,
  startDeviceLogin,
} from '@platform/login';
import { z } from 'zod';
import { endpoint } from '../../endpoint/descriptor.ts';
import { htmlPage } from '../../http/page.ts';
import type { CookieSettings } from './cookies.ts';
import { loginRedirect } from './login-redirect.ts';

const loginPath = '/api/v1/auth/device/login';
const userCode = z.string().meta({ description: 'As the device shows it.', example: 'WDJB-MJHT' });

/** `GET /device?user_code=`: the page where a user types the code of a device (RFC 8628 section 3.3). */
export const devicePage = endpoint({
  method: 'GET',
  path: devicePath,
  id: 'getDevicePage',
  tag: 'Login',
  summary: 'Type the code that a device shows',
  access: 'public',
  limit: 'credentials',
  query: z.object({ user_code: userCode.optional() }),
  responses: {
    200: {
      description: 'A page that asks for the code, or to log in.',
      schema: { type: 'string' },
      mediaType: 'text/html',
    },
  },
  problems: ['invalid_query', 'rate_limited'],
  handle: (_deps: unknown, { query }) => {
    const typed = query.user_code ?? '';
    const code = normalizeUserCode(typed);
    // The page says nothing of whether the code exists: that shows after the login.
    if (code !== null) return htmlPage(200, continuePage(formatUserCode(code)));
    return htmlPage(200, codePage(typed === '' ? [] : ['This is not a code: it has eight letters.']));
  },
});

/** `GET /api/v1/auth/device/login?user_code=`: logs a user in who has typed the code of a device. */
export const deviceLogin = endpoint({
  method: 'GET',
  path: loginPath,
  id: 'loginForDevice',
  tag: 'Login',
  summary: 'Log in to confirm a device',
  access: 'public',
  limit: 'credentials',
  query: z.object({ user_code: userCode }),
  responses: {
    303: {
      description: 'To the identity provider.',
      headers: { Location: 'Where the browser goes.' },
    },
  },
  problems: ['invalid_query', 'rate_limited'],
  handle: async (
    { ports, cookies }: { readonly ports: LoginPorts; readonly cookies: CookieSettings },
    { query },
    call,
  ) => loginRedirect(await startDeviceLogin(ports, query.user_code), cookies, call),
});

function codePage(faults: readonly string[]) {
  return {
    title: 'Log in a device',
    paragraphs: [...faults, 'Type the code that the device shows.'],
    form: {
      method: 'get',
      input: { name: 'user_code', label: 'Code' },
      buttons: [{ action: devicePath, text: 'Continue' }],
      leadsTo: '',
    },
  } as const;
}

function continuePage(code: string) {
  return {
    title: 'Log in a device',
    paragraphs: [
      `The code is ${code}. Compare it with the one that your device shows, then log in.`,
      // Attack (remote phishing, RFC 8628 section 5.4): the link came from somebody who started the login of their own device.
      'If somebody sent you a link or a code, close this page: the device would act as you.',
    ],
    link: { href: `${loginPath}?user_code=${code}`, text: 'Log in' },
  };
}
