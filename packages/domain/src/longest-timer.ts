/** The longest time that timers can wait, in milliseconds: 24.8 days. One that is to wait for longer goes off at once. */
export const longestTimer: number = 2 ** 31 - 1;
