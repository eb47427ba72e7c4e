import type { Finding } from './index.ts';

/** The findings of fsck, for a person: each broken invariant with its rows below. */
export function fsckReport(findings: readonly Finding[]): string {
  if (findings.length === 0) return 'every invariant holds\n';
  const parts = findings.map(({ check, invariant, rows, more }) => {
    const lines = rows.map(({ id, what }) => `  ${id}  ${what}\n`).join('');
    return `${check}: ${invariant}\n${lines}${more ? '  and more\n' : ''}`;
  });
  return parts.join('');
}
