import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

const page = readFileSync(new URL('../../../../docs/ingress.md', import.meta.url), 'utf8');
const forwardUrl = '/api/v1/auth/ingress/forward/shop';
const lua = ['luajit', 'lua5.1'].find((name) => spawnSync(name, ['-v']).status === 0);

/** The YAML below a heading of docs/ingress.md. */
function documented(heading: string) {
  const shown = new RegExp(`^## ${heading}\\n[\\s\\S]*?^\`\`\`yaml\\n([\\s\\S]*?)^\`\`\``, 'm').exec(
    page,
  )?.[1];
  return parse(shown ?? '');
}

describe('the documented configuration of Traefik', () => {
  const { middlewares, routers } = documented('Traefik').http;

  it('asks forward-auth, and lets the browser have the ingress cookie', () => {
    const { address, addAuthCookiesToResponse } = middlewares['shop-visitors'].forwardAuth;
    expect(address).toMatch(new RegExp(`^https://[^/]+${forwardUrl}$`));
    expect(addAuthCookiesToResponse).toEqual(['__Host-platform_ingress']);
  });

  // Attack: the app keeps the sessions of its visitors, from their cookies or their Authorization.
  it('removes what may be a session after it has asked, and not before', () => {
    expect(routers.shop.middlewares).toEqual(['shop-visitors', 'shop-no-cookies']);
    expect(middlewares['shop-no-cookies'].headers.customRequestHeaders).toEqual({
      Cookie: '',
      Authorization: '',
    });
  });
});

describe('the documented configuration of Envoy', () => {
  const [authorization, script, router] = documented('Envoy').http_filters;

  it('asks forward-auth before it removes anything, and lets the browser have the cookies of the login', () => {
    expect([script.name, router.name]).toEqual(['envoy.filters.http.lua', 'envoy.filters.http.router']);
    const {
      path_prefix: prefix,
      authorization_request: sent,
      authorization_response: answer,
    } = authorization.typed_config.http_service;
    const names = ({ patterns }: { patterns: { exact: string }[] }) => patterns.map(({ exact }) => exact);
    expect(prefix).toBe(forwardUrl);
    expect(names(sent.allowed_headers)).toEqual(['cookie', 'accept', 'sec-fetch-mode']);
    expect(names(answer.allowed_client_headers)).toEqual(expect.arrayContaining(['location', 'set-cookie']));
    expect(names(answer.allowed_client_headers_on_success)).toEqual(['set-cookie']);
  });

  const ifInstalled = lua === undefined ? it.skip : it;

  // Attack: the app keeps the sessions of its visitors, from their cookies or their Authorization.
  ifInstalled.each([
    ['platform_session=T', null],
    ['platform_session=T; theme=dark', 'theme=dark'],
    ['a=1; __Host-platform_login=x; b=2;platform_login=y; c=3', 'a=1; b=2; c=3'],
    ['Platform_Session=T; __host-platform_session=T; a=1', 'a=1'],
    [`${'platform_session=T; '.repeat(9)}a=1`, 'a=1'],
    ['my_platform_session=1; platforms=2', 'my_platform_session=1; platforms=2'],
    ['; ;=;a', '; =; a'],
    [null, null],
  ])('leaves no cookie of the platform in %j (skipped where no Lua is installed)', (sent, passed) => {
    const source = `${script.typed_config.default_source_code.inline_string}
      local sent = { cookie = arg[1], authorization = "Bearer T" }
      local headers = {
        get = function(_, name) return sent[name] end,
        remove = function(_, name) sent[name] = nil end,
        add = function(_, name, value) sent[name] = value end,
      }
      envoy_on_request({ headers = function() return headers end })
      io.write(sent.cookie or "nothing", "|", sent.authorization or "nothing")`;
    const { stdout, stderr } = spawnSync(lua ?? '', ['-', ...(sent === null ? [] : [sent])], {
      input: source,
      encoding: 'utf8',
    });
    expect([stderr, stdout]).toEqual(['', `${passed ?? 'nothing'}|nothing`]);
  });
});
