/** The text that the document begins with. */
export function introduction(truncated: boolean): string {
  const parts = [
    'Resources of any kind live below `/api/v1/resources`; projects, teams and what belongs to them have endpoints of their own. Every answer carries `X-Request-Id`.',
    'A path has the collection first, `{group}/{version}/{plural}`, then the names of the ancestors, root-most first, then the name of the resource. How many names there are depends on how deep its kind is: a path of one name is a resource of a kind without ancestors, or the collection of a kind with one. Kinds may have up to 32 ancestors; this document shows the paths of up to three names.',
    'Every GET also answers HEAD, except `authorize` and `callback` of the OAuth proxy, whose state a link preview would use up. A method that a path does not have is 405 with `Allow`, a path that does not exist is 404.',
    'Refusals are RFC 9457 documents (`Problem`, below) with a stable code; OAuth and token endpoints answer as RFC 6749, section 5.2 says.',
  ];
  if (truncated) parts.unshift('**Not all registered kinds are shown: there are too many.**');
  return parts.join('\n\n');
}

/** The sections of the document, in order. */
export function tags(withKinds: boolean): readonly { readonly name: string; readonly description: string }[] {
  return [
    {
      name: 'Resources',
      description: 'The generic resource API, for operators; status and finalizers for controllers too.',
    },
    { name: 'Built-in kinds', description: 'Organizations and the definitions of all other kinds.' },
    ...(withKinds
      ? [{ name: 'Registered kinds', description: 'The kinds that resource definitions declare.' }]
      : []),
    { name: 'Projects and teams', description: 'Projects, teams, and who owns them.' },
    { name: 'Below projects', description: 'Environments, service accounts, deployments and extensions.' },
    { name: 'Tokens and identity', description: 'Exchanging, minting and checking tokens.' },
    { name: 'Login', description: 'For people, in browsers and native clients.' },
    { name: 'Sessions', description: 'Live sessions, and how to end them.' },
    { name: 'Access', description: 'Whether roles and bindings allow a request, and to whom.' },
    { name: 'Audit', description: 'Who did what, when, and what was refused.' },
    { name: 'OAuth proxy', description: 'One OpenID provider for each extension, in front of the real one.' },
    { name: 'Operations', description: 'For operators of the service.' },
  ];
}
