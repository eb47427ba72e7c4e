import { readFileSync } from 'node:fs';

// Plain JavaScript, because it is needed before the build.

const pollMs = 500;
const packageManager =
  /^(?:\S*\/)?(?:npm|npx|pnpm|pnpx)(?:\s|$)|(?:npm|npx|pnpm|pnpx)(?:-cli)?\.[cm]?js(?:\s|$)/;
const shell = /^(?:\S*\/)?(?:ba|da|z|k)?sh(?:\s|$)/;

/**
 * Calls `gone` once when one of the package managers that this process was started through has died.
 * npx dies of a signal without handing it on, and pnpm lives on as an orphan with all below it.
 */
export function watchAncestors(gone) {
  const watched = packageManagers().map((pid) => ({ pid, started: startOf(pid) }));
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent && watched.every(({ pid, started }) => startOf(pid) === started)) return;
    clearInterval(timer);
    gone();
  }, pollMs);
  timer.unref();
}

/** The npx, npm and pnpm processes above this one, with nothing but shells between them. */
function packageManagers() {
  const found = [];
  for (let pid = process.ppid; pid > 1; pid = parentOf(pid)) {
    const command = commandOf(pid);
    if (packageManager.test(command)) found.push(pid);
    else if (!shell.test(command)) break;
  }
  return found;
}

function commandOf(pid) {
  return read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim();
}

// The second field of /proc/<pid>/stat is the command in parentheses, which may hold anything.
function fieldsOf(pid) {
  const stat = read(`/proc/${pid}/stat`);
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function parentOf(pid) {
  return Number(fieldsOf(pid)[1] ?? 0);
}

/** When the process was started; undefined when there is none or only its unreaped remains. */
function startOf(pid) {
  const fields = fieldsOf(pid);
  return fields[0] === 'Z' ? undefined : fields[19];
}

// Without /proc, as on macOS, only the direct parent is watched.
function read(file) {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}
