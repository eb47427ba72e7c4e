/** A link that others wrote: only https, shown with its whole address. */
export function ExternalLink({ url }: { readonly url: string }) {
  if (!url.startsWith('https://')) return <code>{url}</code>;
  return (
    <a href={url} rel="noreferrer" target="_blank">
      {url}
    </a>
  );
}
