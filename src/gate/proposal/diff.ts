/** Lines around a change. */
const CONTEXT = 3;
/** Cells of the table that finds the longest common part; what is larger is shown as removed and added whole. */
const MOST_CELLS = 4_000_000;

interface Line {
  readonly mark: ' ' | '-' | '+';
  readonly text: string;
}

/** The change as a unified diff without file names: every line that goes or comes, with three lines around it. */
export function unifiedDiff(before: string, after: string): string {
  const lines = changed(linesOf(before), linesOf(after));
  const hunks: string[] = [];
  for (const [from, to] of hunksOf(lines)) {
    const [oldAt, newAt] = [1 + count(lines, 0, from, '+'), 1 + count(lines, 0, from, '-')];
    const [oldCount, newCount] = [count(lines, from, to, '+'), count(lines, from, to, '-')];
    hunks.push(
      `@@ -${oldCount === 0 ? oldAt - 1 : oldAt},${oldCount} +${newCount === 0 ? newAt - 1 : newAt},${newCount} @@`,
    );
    for (const { mark, text } of lines.slice(from, to)) {
      hunks.push(text.endsWith('\n') ? mark + text.slice(0, -1) : `${mark}${text}\n\\ No newline at end of file`);
    }
  }
  return hunks.join('\n');
}

/** Each with its line feed, so that a missing one at the end is a difference. */
function linesOf(text: string): string[] {
  return text === '' ? [] : (text.match(/[^\n]*\n|[^\n]+$/g) ?? []);
}

function changed(before: readonly string[], after: readonly string[]): Line[] {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head += 1;
  let tail = 0;
  const most = Math.min(before.length, after.length) - head;
  while (tail < most && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1;
  return [
    ...before.slice(0, head).map(kept),
    ...middle(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...before.slice(before.length - tail).map(kept),
  ];
}

/** By the longest common subsequence. */
function middle(before: readonly string[], after: readonly string[]): Line[] {
  const [rows, columns] = [before.length, after.length];
  if ((rows + 1) * (columns + 1) > MOST_CELLS) return [...before.map(removed), ...after.map(added)];
  const width = columns + 1;
  const longest = new Uint32Array((rows + 1) * width);
  const at = (row: number, column: number) => longest[row * width + column] ?? 0;
  for (let row = rows - 1; row >= 0; row -= 1) {
    for (let column = columns - 1; column >= 0; column -= 1) {
      longest[row * width + column] =
        before[row] === after[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const lines: Line[] = [];
  let [row, column] = [0, 0];
  while (row < rows || column < columns) {
    const [old = '', fresh = ''] = [before[row], after[column]];
    if (row < rows && column < columns && old === fresh) {
      lines.push(kept(old));
      row += 1;
      column += 1;
    } else if (row < rows && (column === columns || at(row + 1, column) >= at(row, column + 1))) {
      lines.push(removed(old));
      row += 1;
    } else {
      lines.push(added(fresh));
      column += 1;
    }
  }
  return lines;
}

/** Stretches of changes with their context, joined where they touch. */
function hunksOf(lines: readonly Line[]): (readonly [from: number, to: number])[] {
  const hunks: [number, number][] = [];
  lines.forEach(({ mark }, index) => {
    if (mark === ' ') return;
    const [from, to] = [Math.max(0, index - CONTEXT), Math.min(lines.length, index + CONTEXT + 1)];
    const last = hunks.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = to;
    else hunks.push([from, to]);
  });
  return hunks;
}

/** Lines between two that are not of this mark: on the old side all but the added ones, and the other way round. */
function count(lines: readonly Line[], from: number, to: number, without: Line['mark']): number {
  return lines.slice(from, to).filter(({ mark }) => mark !== without).length;
}

const kept = (text: string): Line => ({ mark: ' ', text });
const removed = (text: string): Line => ({ mark: '-', text });
const added = (text: string): Line => ({ mark: '+', text });
