/** Variables that change how output looks, and nothing else (trust.md B5.5). */
const NEUTRAL = /^(LANG|LANGUAGE|LC_[A-Z]+|TZ|TERM|NO_COLOR|FORCE_COLOR|CLICOLOR(_FORCE)?|COLUMNS|LINES|CI)$/;

/** Whether a variable may be set for a command without changing what it does. */
export function isNeutralVariable(name: string): boolean {
  return NEUTRAL.test(name);
}
