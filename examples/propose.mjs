// A deploy script has its last step approved, and runs exactly what was shown.
//
//   node examples/propose.mjs           decided by propose.script.json: no chat, no tokens
//   node examples/propose.mjs --live    put to the approvers of your configuration
import { fileURLToPath } from 'node:url';
import { openHandraise } from 'handraise';

const live = process.argv.includes('--live');
const script = fileURLToPath(new URL('propose.script.json', import.meta.url));
const handraise = await openHandraise(live ? {} : { script });
try {
  for (const command of ['git push origin main', 'npm publish']) {
    const { outcome, note, effect } = await handraise.propose({ command, description: 'release 1.4' });
    // Only this outcome lets it run. A real script would run the very same text now.
    if (outcome === 'granted') console.log(`${command} (${effect}): granted, would run now`);
    else console.log(`${command} (${effect}): ${outcome}, not run${note === undefined ? '' : `; they say: ${note}`}`);
  }
} finally {
  await handraise.close();
}
