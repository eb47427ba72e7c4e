import { environmentVariables } from './environment-variables.ts';

it('names the variables after the extension and nothing else', () => {
  const name = { project: 'shop', extension: 'staff-login' };
  expect(environmentVariables(name, 'https://platform.example', 'secret')).toEqual({
    STAFF_LOGIN_CLIENT_ID: 'shop-staff-login',
    STAFF_LOGIN_CLIENT_SECRET: 'secret',
    STAFF_LOGIN_ISSUER: 'https://platform.example/oidc/shop/staff-login',
    PLATFORM_ISSUER: 'https://platform.example',
  });
});
