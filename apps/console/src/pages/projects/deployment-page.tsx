import { useState } from 'react';
import { type Deployment, deploymentKind } from '../../typed/kinds/environment.ts';
import { Icon } from '../../ui/icon.tsx';
import { Age, ExactTime } from '../../ui/time.tsx';
import { ChildActions } from './child-actions.tsx';
import { ChildFrame, type ChildProps } from './child-frame.tsx';
import { ChildLink } from './child-link.tsx';
import { childPath } from './collections.ts';
import { CredentialState } from './credential-state.tsx';
import { type Fact, ItemFacts } from './item-facts.tsx';
import { RotateCredential } from './rotate-credential.tsx';

const kind = deploymentKind([]);

/** A deployment with the state of its credential, which nothing shows again. */
export function DeploymentPage({ project, name }: ChildProps) {
  const [rotating, setRotating] = useState(false);
  return (
    <ChildFrame<Deployment>
      project={project}
      name={name}
      collection="deployments"
      actions={(item) => (
        <ChildActions
          kind={kind}
          project={project}
          item={item}
          collection="deployments"
          warning={<p>Its credential ends at once. Workload tokens that it already has end by themselves.</p>}
        >
          <button type="button" className="button" onClick={() => setRotating(true)}>
            <Icon name="refresh" />
            Rotate the credential…
          </button>
          {rotating ? (
            <RotateCredential
              deployment={item}
              path={childPath(project, 'deployments', name)}
              onClose={() => setRotating(false)}
            />
          ) : null}
        </ChildActions>
      )}
    >
      {(item) => <ItemFacts item={item} facts={factsOf(item)} />}
    </ChildFrame>
  );
}

function factsOf(deployment: Deployment): readonly Fact[] {
  const {
    project,
    environment,
    created_by,
    last_used_at,
    previous_credential_expires_at: previous,
  } = deployment;
  return [
    ['Environment', <ChildLink key="e" project={project} collection="environments" name={environment} />],
    ['Credential', <CredentialState key="c" deployment={deployment} />],
    ['Last used', last_used_at === null ? 'never' : <Age key="l" time={last_used_at} />],
    ['Made by', created_by ?? 'unknown'],
    ...(previous === null
      ? []
      : [['The one before is valid', <ExactTime key="p" time={previous} />] as const]),
  ];
}
