// Moves the clock of a process when its parent says so: `node --import ./moving-clock.mjs main.js`, then `child.send({ clockStepMs })`.
// Plain JavaScript, because it is there before anything can transform it.
let ahead = 0;
const RealDate = Date;

globalThis.Date = class extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(RealDate.now() + ahead);
    else super(...given);
  }

  static now() {
    return RealDate.now() + ahead;
  }
};

process.on('message', (message) => {
  if (typeof message?.clockStepMs === 'number') ahead += message.clockStepMs;
});
// It does not keep the process alive.
process.channel?.unref();
