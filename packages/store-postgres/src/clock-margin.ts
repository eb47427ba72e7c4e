/** An hour, in milliseconds: more than the clocks of an API and of the database differ by. */
export const clockMarginMs = 3_600_000;
