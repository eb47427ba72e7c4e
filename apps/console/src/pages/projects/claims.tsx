import type { ServiceAccount } from '../../typed/kinds/service-account.ts';

/** The patterns that a token must match. */
export function Claims({ claims }: Pick<ServiceAccount, 'claims'>) {
  return (
    <span className="chips">
      {Object.entries(claims).map(([name, value]) => (
        <span key={name} className="chip" title={`${name}=${value}`}>
          {name}={value}
        </span>
      ))}
    </span>
  );
}
