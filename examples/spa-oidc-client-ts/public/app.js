// The whole login of a single-page app; `oidc` is the global of oidc-client-ts.
const { oidc } = window;
const settings = await (await fetch('/settings.json')).json();
const manager = new oidc.UserManager({
  ...settings,
  redirect_uri: `${location.origin}/callback`,
  scope: 'openid email profile',
  loadUserInfo: true,
  // Tokens are stored for this tab only.
  userStore: new oidc.WebStorageStateStore({ store: sessionStorage }),
});

const show = (user, problem) => {
  const status = document.querySelector('#status');
  status.textContent = problem ?? (user ? `Hello, ${user.profile.email}!` : 'You are not logged in.');
  document.querySelector('#login').hidden = Boolean(user);
  document.querySelector('#logout').hidden = !user;
};

document.querySelector('#login').addEventListener('click', () => manager.signinRedirect());
document.querySelector('#logout').addEventListener('click', async () => {
  await manager.removeUser();
  show(null);
});

try {
  if (location.pathname === '/callback') {
    await manager.signinRedirectCallback();
    history.replaceState(null, '', '/');
  }
  show(await manager.getUser());
} catch (error) {
  // The proxy returns OAuth error codes such as `access_denied`.
  show(null, error.error_description ?? error.message);
}
