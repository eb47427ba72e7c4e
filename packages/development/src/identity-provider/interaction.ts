import type { IncomingMessage, ServerResponse } from 'node:http';
import { html, page } from '@platform/kernel';
import type Provider from 'oidc-provider';
import type { Person } from './people.ts';

/** The largest form that is read: a button's name and value. */
const maxFormBytes = 4096;

/** Where oidc-provider sends a browser that has to choose. */
export const interactionPrefix = '/interaction/';

/** Shows the choice, and turns the one that is made into a login with consent to whatever the client asked for. */
export async function interact(
  provider: Provider,
  people: readonly Person[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { uid, params, prompt } = await provider.interactionDetails(request, response);
  if (request.method !== 'POST') {
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.setHeader('Cache-Control', 'no-store');
    response.end(choicePage(people, `${interactionPrefix}${uid}`));
    return;
  }
  const subject = new URLSearchParams(await readForm(request)).get('subject');
  const person = people.find((candidate) => candidate.subject === subject);
  if (person === undefined) {
    response.statusCode = 400;
    response.end('Choose one of the people.');
    return;
  }
  const grant = new provider.Grant({ accountId: person.subject, clientId: String(params['client_id']) });
  grant.addOIDCScope(String(params['scope']));
  const grantId = await grant.save();
  const login = prompt.name === 'login' ? { login: { accountId: person.subject } } : {};
  await provider.interactionFinished(request, response, { ...login, consent: { grantId } });
}

async function readForm(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxFormBytes) throw new Error('the form is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The page that asks who to be: one button a person, no password, no script. `action` is the path to post the choice to. */
function choicePage(people: readonly Person[], action: string): string {
  const choices = people.map(
    ({ subject, name, email, note }) =>
      html`<button class="choice" name="subject" value="${subject}">${name}<br><small>${email}: ${note}</small></button>`,
  );
  return page(
    'Log in as',
    html`<p>This identity provider is for development: it asks for no password and runs on this machine only.</p>
<form method="post" action="${action}">
${choices}
</form>`,
  );
}
