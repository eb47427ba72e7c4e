import type { Config } from '@platform/config';
import type { OperatorSession } from './operator-session.ts';

/** The state that the welcome text depends on, in addition to the configuration. */
export interface WelcomeOptions {
  /** Whether users can log in. */
  readonly login: boolean;
  /** Undefined if a printed token would leak. */
  readonly session: OperatorSession | undefined;
}

/** Formats the text that the launcher prints when all processes run. */
export function formatWelcome(config: Config, { login, session }: WelcomeOptions): string {
  const base = config.server.public_url;
  const embedded = `embedded PostgreSQL, kept in ${config.database.data_dir}`;
  const lines = [
    '',
    'The platform is running.',
    '',
    `  API            ${base}/api/v1/resources`,
    `  Console        ${base}/console`,
    `  Documentation  ${base}/docs`,
    `  Login          ${login ? `${base}/api/v1/auth/login?redirect=/docs` : 'not configured (auth.issuer)'}`,
    `  Database       ${config.database.url === undefined ? embedded : 'database.url'}`,
    '',
  ];
  if (session !== undefined) {
    lines.push(
      `As the operator ${session.email} (this token works for ${Math.round(session.expiresIn / 60)} minutes):`,
      '',
      formatCurl(base, session),
      '',
    );
  } else if (login) {
    lines.push('Log in with: ./platform login', '');
  }
  lines.push('Ctrl-C stops everything.', '', '');
  return lines.join('\n');
}

function formatCurl(base: string, { token }: OperatorSession): string {
  const url = `${base}/api/v1/resources/platform.dev/v1alpha1/organizations`;
  return `curl -H 'Authorization: Bearer ${token}' '${url}'`;
}
