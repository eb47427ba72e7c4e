import { confirmDevice, type DeviceConfirmation, type LoginPorts } from '@platform/login';
import { z } from 'zod';
import { endpoint } from '../../endpoint/descriptor.ts';
import { htmlPage, type Page } from '../../http/page.ts';
import { choiceParameter, forgetLogin, readChoice } from './choice.ts';
import type { CookieSettings } from './cookies.ts';

const path = '/api/v1/auth/device/confirm';

/** `POST /api/v1/auth/device/confirm?choice=&user_code=`: the user's choice about a device. */
export const deviceConfirm = endpoint({
  method: 'POST',
  path,
  id: 'confirmDevice',
  tag: 'Login',
  summary: 'Answer the page that asks whether to approve a device',
  description: 'For browsers: `Origin` must be the platform itself.',
  access: 'public',
  limit: 'credentials',
  query: z.object({
    choice: choiceParameter,
    user_code: z.string().meta({ description: 'The code that the page shows.', example: 'WDJB-MJHT' }),
  }),
  responses: {
    200: {
      description: 'A page that sends the person back to the device.',
      schema: { type: 'string' },
      mediaType: 'text/html',
    },
  },
  problems: ['invalid_query', 'forbidden', 'rate_limited'],
  audit: { refused: 'auth.login', details: { destination: 'device' } },
  async handle(
    { ports, cookies }: { readonly ports: LoginPorts; readonly cookies: CookieSettings },
    { query },
    call,
  ) {
    const { id, confirmed } = readChoice(call, ports, cookies, query);
    const answer = { id, userCode: query.user_code, confirmed };
    const { user, device } = await confirmDevice(ports, answer);
    const { clientId: client, address, userAgent } = device;
    call.audit({
      action: 'auth.login',
      actor: { type: 'user', id: user.email },
      ...(confirmed ? {} : { outcome: 'denied' }),
      details: {
        destination: 'device',
        client,
        address,
        userAgent,
        ...(confirmed ? {} : { error: 'access_denied' }),
      },
    });
    const headers = { 'Set-Cookie': forgetLogin(cookies) };
    return htmlPage(200, confirmed ? allowedPage : refusedPage, headers);
  },
});

const allowedPage: Page = {
  title: 'The device is logged in',
  paragraphs: ['You can close this page. The device continues within seconds.'],
};
const refusedPage: Page = {
  title: 'The device is not logged in',
  paragraphs: ['You refused the login, and can close this page.'],
};

/**
 * The page that asks whether to approve a device.
 *
 * Attack (remote phishing, RFC 8628 section 5.4): somebody far away sends their own code. The page says what asks and from where.
 */
export function deviceConfirmationPage(confirmation: DeviceConfirmation, browserAddress: string): Page {
  const { email, userCode, device } = confirmation;
  const { clientId, address, userAgent, scope } = device;
  const program = userAgent === '' ? '' : `, which calls itself "${userAgent}"`;
  const query = `user_code=${userCode}`;
  return {
    title: 'Log in a device?',
    paragraphs: [
      `A device asks to act as ${email}, with everything that you may do.`,
      `Program: ${clientId}${program}. Its address: ${address}. Scopes: ${scope === '' ? 'none named' : scope}.`,
      ...(address === browserAddress
        ? []
        : [
            `That is not the address of this browser, ${browserAddress}. Go on only if the device is elsewhere.`,
          ]),
      `Go on only if you have just started this login yourself, and your device shows the code ${userCode}. Nobody else needs your confirmation, whoever asks for it.`,
    ],
    form: {
      buttons: [
        { action: `${path}?choice=allow&${query}`, text: 'Log in the device' },
        { action: `${path}?choice=deny&${query}`, text: 'Cancel' },
      ],
      leadsTo: '',
    },
  };
}
