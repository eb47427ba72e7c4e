import { html, page } from '@platform/kernel';
import type { Person } from './people.ts';

/** The page that asks who to be: one button a person, no password, no script. `action` is the path to post the choice to. */
export function choicePage(people: readonly Person[], action: string): string {
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
