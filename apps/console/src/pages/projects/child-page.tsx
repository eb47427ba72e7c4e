import { useParams } from '@tanstack/react-router';
import { Page } from '../../ui/page.tsx';
import { collectionNamed } from './collections.tsx';

/** The page of something below a project, by its collection. */
export function ChildPage() {
  const { project = '', collection = '', name = '' } = useParams({ strict: false });
  const found = collectionNamed(collection);
  if (found === undefined) return <Page title={`Projects have no ${collection}`}>{null}</Page>;
  return found.renderPage(project, name);
}
