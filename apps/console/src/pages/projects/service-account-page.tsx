import { type ServiceAccount, serviceAccountKind } from '../../typed/kinds/service-account.ts';
import { ChildActions } from './child-actions.tsx';
import { ChildFrame, type ChildProps } from './child-frame.tsx';
import { Copied, ItemFacts } from './item-facts.tsx';
import { Claims } from './service-accounts-tab.tsx';

/** A service account: whose tokens it takes, and what they must say. */
export function ServiceAccountPage({ project, name }: ChildProps) {
  return (
    <ChildFrame<ServiceAccount>
      project={project}
      name={name}
      collection="service-accounts"
      actions={(item) => (
        <ChildActions
          kind={serviceAccountKind}
          project={project}
          item={item}
          collection="service-accounts"
          warning={<p>Its tokens end at once, and role bindings that name it grant nothing any more.</p>}
        />
      )}
    >
      {(item) => (
        <ItemFacts
          item={item}
          facts={[
            ['E-mail', <Copied key="e" text={item.email} label="the e-mail address" />],
            ['Issuer', <code key="i">{item.issuer_url}</code>],
            ['Claims', <Claims key="c" claims={item.claims} />],
          ]}
        />
      )}
    </ChildFrame>
  );
}
