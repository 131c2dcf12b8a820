import type { QuestionBatch } from '../../../../src/core/questions/contract.ts';

/** What the agent asks first: one question, one answer, with something to compare. */
export const WHERE = {
  questions: [
    {
      question: 'Where should the counters of the rate limit live?',
      header: 'Counters',
      multiSelect: false,
      options: [
        {
          label: 'In memory (Recommended)',
          description: 'Nothing to install. The counts are lost at a restart, and each server counts for itself.',
          preview: 'const hits = new Map();\nhits.set(ip, (hits.get(ip) ?? 0) + 1);',
        },
        {
          label: 'Redis',
          description: 'One count for all servers. Needs a Redis that somebody looks after.',
          preview: 'const hits = await redis.incr(ip);\nif (hits === 1) await redis.expire(ip, 60);',
        },
        {
          label: 'PostgreSQL',
          description: 'Uses the database that is there. Every request writes a row.',
        },
      ],
    },
  ],
} as const satisfies QuestionBatch;

/** What it asks once it knows that: two questions at once, one of them with several answers. */
export const HOW = {
  questions: [
    {
      question: 'Which routes should be limited?',
      header: 'Routes',
      multiSelect: true,
      options: [
        { label: 'Sign-up', description: 'Stops made-up accounts in bulk.' },
        { label: 'Log-in', description: 'Stops the guessing of passwords.' },
        { label: 'Password reset', description: 'Stops floods of mail to one person.' },
        { label: 'Search', description: 'Spares the database; real people search a lot, though.' },
      ],
    },
    {
      question: 'What should a client be told that went over the limit?',
      header: 'Reply',
      multiSelect: false,
      options: [
        { label: '429 with Retry-After (Recommended)', description: 'The standard: good clients wait, then go on.' },
        { label: '403', description: 'Says no, and nothing about when to come back.' },
      ],
    },
  ],
} as const satisfies QuestionBatch;
