import type { KindRegistry } from '../../api/kinds.ts';
import type { Resource } from '../../api/resource.ts';
import { Card } from '../../ui/card.tsx';
import { ResourceName } from '../../ui/resource-name.tsx';
import { Empty } from '../../ui/states.tsx';
import { NewLink } from './new-link.tsx';

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

export interface Role extends Resource {
  readonly spec: { readonly rules: readonly Rule[] } & Record<string, unknown>;
}

const verbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'restore'];

export function Roles({
  roles,
  registry,
}: {
  readonly roles: readonly Role[];
  readonly registry: KindRegistry;
}) {
  return (
    <div className="stack">
      <div>
        <NewLink plural="roles" noun="role" />
      </div>
      {roles.length === 0 ? (
        <Empty title="No role that you may see">
          <p className="muted">Your own roles are on the page Home.</p>
        </Empty>
      ) : null}
      {roles.map((role) => (
        <Card
          key={role.metadata.uid}
          flush
          title={
            <ResourceName
              registry={registry}
              identity={{ ...role, name: role.metadata.name, uid: role.metadata.uid }}
            />
          }
        >
          <VerbGrid name={role.metadata.name} rules={role.spec.rules} />
        </Card>
      ))}
    </div>
  );
}

/** One line a rule, one column a verb. */
function VerbGrid({ name, rules }: { readonly name: string; readonly rules: readonly Rule[] }) {
  const shown = [...new Set([...verbs, ...rules.flatMap((rule) => rule.verbs)])].filter(
    (verb) => verb !== '*',
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reached by keys
    <section className="table-box" aria-label={`Rules of ${name}`} tabIndex={0}>
      <table className="table">
        <thead>
          <tr>
            <th>Resources</th>
            <th>Groups</th>
            {shown.map((verb) => (
              <th key={verb}>{verb}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rules.map((rule) => (
            <tr key={JSON.stringify(rule)}>
              <td>
                {rule.resources.join(', ')}
                {rule.resourceNames === undefined ? null : (
                  <div className="muted">only {rule.resourceNames.join(', ')}</div>
                )}
              </td>
              <td>{rule.apiGroups.join(', ')}</td>
              {shown.map((verb) => (
                <td key={verb}>
                  {rule.verbs.includes('*') || rule.verbs.includes(verb) ? (
                    'yes'
                  ) : (
                    <span className="muted">no</span>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
