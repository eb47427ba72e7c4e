import { Link } from '@tanstack/react-router';
import { Dialog } from '../ui/dialog.tsx';
import { places } from './keys.ts';
import { useSettings } from './settings.ts';

const groups: readonly (readonly [string, readonly (readonly [string, string])[]])[] = [
  [
    'Everywhere',
    [
      ['Ctrl K', 'Search or go to'],
      ['/', 'Find in the page, or search'],
      ['?', 'This list'],
    ],
  ],
  ['Go to', Object.entries(places).map(([key, { label }]) => [`g ${key}`, label] as const)],
  [
    'In a table',
    [
      ['j, k or arrows', 'Next and previous row'],
      ['Enter', 'Open next to the table'],
      ['Shift Enter', 'Open the page'],
      ['Space', 'Select'],
      ['e', 'Edit'],
      ['y', 'Copy the name'],
      ['Delete', 'Plan a deletion'],
    ],
  ],
  [
    'In a graph',
    [
      ['Left and Right', 'Follow an edge'],
      ['Up and Down', 'Go along a column'],
      ['Enter', 'Open its graph'],
      ['+, - and 0', 'Zoom in, out, and fit'],
    ],
  ],
  [
    'In the editor',
    [
      ['Ctrl S', 'Review'],
      ['Escape, then Tab', 'Leave it'],
    ],
  ],
];

/** Every key that does something. */
export function KeyHelp({ onClose }: { readonly onClose: () => void }) {
  const { singleKeys } = useSettings();
  return (
    <Dialog title="Keys" onClose={onClose}>
      {singleKeys ? null : (
        <p className="banner" data-tone="info">
          Keys without Ctrl are switched off in the <Link to="/settings">settings</Link>.
        </p>
      )}
      <div className="cards">
        {groups.map(([title, keys]) => (
          <section key={title} aria-label={title}>
            <h3>{title}</h3>
            <dl className="facts">
              {keys.map(([key, text]) => (
                <div key={key} className="key-line">
                  <dt>
                    <kbd>{key}</kbd>
                  </dt>
                  <dd>{text}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}
