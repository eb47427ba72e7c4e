import type { Person } from './people.ts';

/** The page that asks who to be: one button a person, no password, no script. `action` is the path to post the choice to. */
export function choicePage(people: readonly Person[], action: string): string {
  const choices = people
    .map(
      ({ subject, name, email, note }) =>
        `<p><button name="subject" value="${escapeHtml(subject)}">${escapeHtml(name)}<br>` +
        `<small>${escapeHtml(email)}: ${escapeHtml(note)}</small></button></p>`,
    )
    .join('\n');
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Log in (development)</title>
<style>
  body { font: 1rem/1.5 system-ui, sans-serif; max-width: 28rem; margin: 4rem auto; padding: 0 1rem; }
  button { font: inherit; width: 100%; text-align: left; padding: .6rem 1rem; cursor: pointer; }
</style>
<h1>Log in as</h1>
<p>This identity provider is for development: it asks for no password and runs on this machine only.</p>
<form method="post" action="${escapeHtml(action)}">
${choices}
</form>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
