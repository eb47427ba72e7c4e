import { useParams } from '@tanstack/react-router';
import { Empty } from '../../ui/states.tsx';
import { isCollection } from './collections.ts';
import { DeploymentPage } from './deployment-page.tsx';
import { EnvironmentPage } from './environment-page.tsx';
import { ExtensionPage } from './extension-page.tsx';
import { ServiceAccountPage } from './service-account-page.tsx';

const pages = {
  environments: EnvironmentPage,
  deployments: DeploymentPage,
  'service-accounts': ServiceAccountPage,
  extensions: ExtensionPage,
} as const;

/** The page of something below a project, by its collection. */
export function ChildPage() {
  const { project = '', collection = '', name = '' } = useParams({ strict: false });
  if (!isCollection(collection)) return <Empty title={`Projects have no ${collection}`} />;
  const Found = pages[collection];
  return <Found project={project} name={name} />;
}
