import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../src/main.js', import.meta.url));

/** `handraise gateway` over this Redis; resolves when it says that it is ready. `env` holds the rest of its configuration. */
export async function startGateway(redisUrl: string, folder: string, env: NodeJS.ProcessEnv) {
  const config = join(folder, 'gateway.json');
  writeFileSync(config, JSON.stringify({ gateway: { listen: '127.0.0.1:0' } }));
  const child = spawn(process.execPath, [MAIN, 'gateway'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...env, HANDRAISE_REDIS_URL: redisUrl, HANDRAISE_CONFIG: config },
  });
  const ended = once(child, 'exit');
  const failed = ended.then(([code]) => Promise.reject(new Error(`the gateway ended with ${code}`)));
  failed.catch(() => undefined);
  await Promise.race([once(child.stdout, 'data'), failed]);
  return {
    async close() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
