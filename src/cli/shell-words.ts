/** One argument is a text for a shell; several are a program's, as one text that a shell reads as the same arguments. */
export function shellText(command: readonly string[]): string {
  return command.length === 1 ? (command[0] as string) : command.map(quoted).join(' ');
}

function quoted(argument: string): string {
  return /^[\w@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;
}
