import { readFileSync } from 'node:fs';
import {
  accessKind,
  createControllerDirectory,
  createTokenIssuer,
  type ExternalClaims,
  exchangeToken,
  idKind,
  ingressKind,
  issuedKinds,
  readToken,
  sessionKind,
  workloadKind,
} from '@platform/tokens';
import { parse } from 'yaml';
import { createFixture, external, forge, issuerRsa, NOW, PLATFORM, signatures } from './fixture.ts';

const page = readFileSync(new URL('../../../docs/tokens.md', import.meta.url), 'utf8');

/** The code block of the page that carries this label. */
function block(language: string, label: string): string {
  const found = new RegExp(`^\`\`\`${language} ${label}\\n([\\s\\S]*?)^\`\`\``, 'm').exec(page)?.[1];
  if (found === undefined) throw new Error(`docs/tokens.md has no ${language} block ${label}`);
  return found;
}

interface Decoded {
  readonly header: Record<string, unknown>;
  readonly claims: Record<string, unknown>;
}

const example = (label: string) => JSON.parse(block('json', label)) as Decoded;
const text = (value: unknown) => String(value);

const tokens = createTokenIssuer({
  issuer: PLATFORM,
  lifetimes: { session: 86_400, access: 600, ingress: 3600, workload: 3600, id: 86_400 },
  signer: signatures,
  clock: { now: () => NOW * 1000 },
  random: { bytes: (length) => new Uint8Array(length) },
});

/** Makes the token that the claims of the example describe. */
const makers = {
  session({ sub, email, name, groups, idp_iss, idp_sub, sid, session_iat }: Decoded['claims']) {
    const account = { issuer: text(idp_iss), subject: text(idp_sub) };
    const claims = { name, groups };
    const session = { id: text(sid), startedAt: Number(session_iat) * 1000 };
    return tokens.issue(sessionKind, { uid: text(sub), email: text(email), claims, account, session });
  },
  access({ principal }: Decoded['claims']) {
    return tokens.issue(accessKind, principal as Parameters<typeof accessKind.claimsOf>[0]);
  },
  ingress({ sub, email, project, aud, session_exp, session_iat, sid }: Decoded['claims']) {
    const session = {
      id: text(sid),
      startedAt: Number(session_iat) * 1000,
      expiresAt: Number(session_exp),
      emailVerified: true,
      account: null,
      groups: [],
    };
    const user = { uid: text(sub), email: text(email) };
    return tokens.issue(ingressKind, { ...user, project: text(project), projectUrl: text(aud), session });
  },
  workload({ project, project_uid, environment, deployment, aud }: Decoded['claims']) {
    return tokens.issue(workloadKind, {
      project: text(project),
      projectUid: text(project_uid),
      environment: text(environment),
      deployment: text(deployment),
      audience: text(aud),
    });
  },
  id({ sub, email, aud, nonce, auth_time }: Decoded['claims']) {
    return tokens.issue(idKind, {
      uid: text(sub),
      email: text(email),
      clientId: text(aud),
      nonce: text(nonce),
      authTime: Number(auth_time),
    });
  },
};

const kinds = Object.keys(issuedKinds) as (keyof typeof issuedKinds)[];

describe('the reference page', () => {
  it.each(kinds)('shows a %s token as the code makes it', (kind) => {
    const shown = example(kind);
    const { token } = makers[kind](shown.claims);
    const made = readToken(token);
    expect(made?.claims).toEqual(shown.claims);
    // The thumbprint is that of the key at hand; the page shows the example of RFC 7638.
    const { kid, ...header } = made?.header ?? {};
    const { kid: shownKid, ...shownHeader } = shown.header;
    expect(header).toEqual(shownHeader);
    expect(text(kid).length).toBe(text(shownKid).length);
  });

  it.each(kinds)('has the algorithm, audience and lifetime of the %s token from its table entry', (kind) => {
    const { alg, typ, typOptional, audience, lifetimeKey } = issuedKinds[kind];
    const row = page.split('\n').find((line) => line.toLowerCase().startsWith(`| [${kind}](#${kind})`)) ?? '';
    const cells = row.split('|').map((cell) => cell.trim());
    expect(cells.slice(2, 6)).toEqual([
      'issued',
      alg,
      typOptional ? `\`${typ}\` or absent` : `\`${typ}\``,
      audience,
    ]);
    expect(cells[7]).toBe(`\`${lifetimeKey}\``);
    expect(page).toMatch(new RegExp(`^## ${kind}$`, 'im'));
  });

  it('shows an external token that matches the controller of the example', async () => {
    const { header, claims } = example('external');
    const { auth } = parse(block('yaml', 'external')) as {
      auth: { controllers: Parameters<typeof createControllerDirectory>[0] };
    };
    const { authenticator } = createFixture({ controllers: createControllerDirectory(auth.controllers) });
    const principal = await authenticator.bearer(forge(header, claims, issuerRsa.privateKey));
    expect(principal).toEqual({ type: 'controller', id: 'controller.example.com' });
  });

  it('shows an exchange as it is asked for and answered', async () => {
    const fixture = createFixture();
    const claims: Partial<ExternalClaims> = { aud: 'shop', sub: 'repo:acme/shop:ref:main' };
    const request = JSON.parse(block('json', 'exchange-request')) as Record<string, unknown>;
    const answer = await exchangeToken(
      { ...fixture.deps, tokens },
      { ...request, subject_token: external(claims) },
    );
    const shown = JSON.parse(block('json', 'exchange-answer')) as Record<string, unknown>;
    expect({ ...answer, access_token: shown['access_token'] }).toEqual(shown);
  });
});
