// stdout belongs to MCP: whatever prints goes to stderr. Imported before everything else. `console.error` opens stderr
// only when it is used, which keeps it out of every start.
for (const method of ['log', 'info', 'debug', 'dir', 'dirxml', 'table', 'group', 'groupCollapsed'] as const) {
  console[method] = console.error;
}
for (const method of ['count', 'timeLog', 'timeEnd'] as const) console[method] = console.error;
