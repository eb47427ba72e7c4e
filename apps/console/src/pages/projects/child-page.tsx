import { useParams } from '@tanstack/react-router';
import { Page } from '../../ui/page.tsx';
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
  if (!isCollection(collection)) return <Page title={`Projects have no ${collection}`}>{null}</Page>;
  const Found = pages[collection];
  return <Found project={project} name={name} />;
}
