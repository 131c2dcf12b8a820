// A program asks its operators and goes on with what they say.
//
//   node examples/ask.mjs           answered by ask.script.json: no chat, no tokens
//   node examples/ask.mjs --live    asked in the chat that your configuration binds
import { fileURLToPath } from 'node:url';
import { openHandraise } from 'handraise';

const live = process.argv.includes('--live');
const script = fileURLToPath(new URL('ask.script.json', import.meta.url));
const handraise = await openHandraise(live ? {} : { script });
try {
  const asked = await handraise.ask({
    questions: [
      {
        question: 'Which database should the service use?',
        header: 'Database',
        options: [
          { label: 'Postgres (Recommended)', description: 'What the other services use.' },
          { label: 'SQLite', description: 'No server to run.' },
        ],
      },
      { question: 'Which regions?', header: 'Regions', options: ['eu', 'us', 'ap'], multiSelect: true },
    ],
  });
  // No answer is no preference: go on with the usual choice, and say so.
  const database = asked.answers?.['Which database should the service use?'] ?? 'Postgres, since nobody chose';
  const regions = asked.answers?.['Which regions?'] ?? ['eu'];
  console.log(`${asked.outcome} by ${asked.by}: ${database}; ${[regions].flat().join(' and ')}`);
} finally {
  await handraise.close();
}
