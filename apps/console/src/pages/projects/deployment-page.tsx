import { useState } from 'react';
import type { Deployment } from '../../typed/kinds/environment.ts';
import { Icon } from '../../ui/icon.tsx';
import { Age, ExactTime } from '../../ui/time.tsx';
import { ChildFrame } from './child-frame.tsx';
import type { ChildPageProps } from './child-kind.ts';
import { ChildLink } from './child-link.tsx';
import { CredentialState } from './credential-state.tsx';
import { type Fact, ItemFacts } from './item-facts.tsx';
import { childPath } from './paths.ts';
import { RotateCredential } from './rotate-credential.tsx';

/** A deployment with the state of its credential, which nothing shows again. */
export function DeploymentPage(page: ChildPageProps<Deployment>) {
  const [rotating, setRotating] = useState(false);
  return (
    <ChildFrame
      {...page}
      buttons={(item) => (
        <>
          <button type="button" className="button" onClick={() => setRotating(true)}>
            <Icon name="refresh" />
            Rotate the credential…
          </button>
          {rotating ? (
            <RotateCredential
              deployment={item}
              path={childPath(page.project, page.child.collection, page.name)}
              onClose={() => setRotating(false)}
            />
          ) : null}
        </>
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
