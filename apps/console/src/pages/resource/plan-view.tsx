import type { KindRegistry } from '../../api/kinds.ts';
import type { DeletionPlan } from '../../api/resource.ts';
import { ResourceName } from '../../ui/resource-name.tsx';
import { ProtectedBadge, StateBadge } from '../../ui/state-badge.tsx';

/** Rows that are listed; the counts have all of them. */
const most = 100;

/** How many a deletion removes, with those that it is asked for; a plan may name only a part. */
export function countOf(plan: DeletionPlan, asked: number): string {
  const count = (plan.resources.length + asked).toLocaleString('en');
  return plan.truncated === true ? `more than ${count}` : count;
}

/** The resources that a deletion removes as well: protected ones first, then how many of each kind, then which. */
export function PlanView({
  plan,
  registry,
}: {
  readonly plan: DeletionPlan;
  readonly registry: KindRegistry;
}) {
  const counts = Object.entries(plan.counts);
  return (
    <div className="stack">
      {plan.protected.length === 0 ? null : (
        <div className="banner">
          <div>
            <strong>Nothing will be deleted while these are protected:</strong>
            <ul>
              {plan.protected.map((identity) => (
                <li key={identity.uid}>
                  <ResourceName registry={registry} identity={identity} /> <ProtectedBadge />
                </li>
              ))}
            </ul>
          </div>
        </div>
      )}
      {plan.resources.length === 0 ? (
        <p>Nothing else is deleted.</p>
      ) : (
        <>
          <p>
            It also deletes:{' '}
            <strong>
              {counts
                .map(
                  ([kind, count]) =>
                    `${kind} (${plan.truncated === true ? 'at least ' : ''}${count.toLocaleString('en')})`,
                )
                .join(', ')}
            </strong>
          </p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reached by keys */}
          <section className="plan-list" aria-label="Also deleted" tabIndex={0}>
            <ul className="rows">
              {plan.resources.slice(0, most).map(({ identity, effect, heldBy }) => (
                <li key={identity.uid}>
                  <span className="grow">
                    <ResourceName registry={registry} identity={identity} />
                  </span>
                  {effect === 'held' ? (
                    <StateBadge state="warning">
                      {`held by ${heldBy.map(({ resource }) => resource.name).join(', ')}`}
                    </StateBadge>
                  ) : (
                    <span className="muted">removed</span>
                  )}
                </li>
              ))}
            </ul>
          </section>
          {plan.resources.length > most ? (
            <p className="muted">
              {most} of {plan.resources.length.toLocaleString('en')} are listed.
            </p>
          ) : null}
        </>
      )}
      {plan.truncated === true ? (
        <p className="banner">There are more than were read. The deletion takes all of them along.</p>
      ) : null}
    </div>
  );
}
