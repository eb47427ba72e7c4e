import type { RequestError } from '../api/http.ts';
import { CopyButton } from '../ui/copy.tsx';
import type { Schemas } from './kind.ts';

type Challenge = Schemas['DomainChallenge'];

/** The records that a refused address needs. */
export function Challenges({ error }: { readonly error: RequestError | null }) {
  if (error?.code !== 'domain_unverified') return null;
  const { challenges = [] } = error.problem as { challenges?: readonly Challenge[] };
  return (
    <section className="stack" aria-label="Records to publish">
      <p>Publish these TXT records in the DNS of the domains, then save again. Your input is kept.</p>
      <ChallengeList challenges={challenges} />
    </section>
  );
}

export function ChallengeList({ challenges }: { readonly challenges: readonly Challenge[] }) {
  return challenges.map(({ host, record, value }) => (
    <dl key={host} className="facts challenge">
      <dt>Host</dt>
      <dd>{host}</dd>
      <dt>TXT record</dt>
      <dd className="with-copy">
        <code>{record}</code>
        <CopyButton text={record} label={`the record of ${host}`} />
      </dd>
      <dt>Value</dt>
      <dd className="with-copy">
        <code>{value}</code>
        <CopyButton text={value} label={`the value for ${host}`} />
      </dd>
    </dl>
  ));
}
