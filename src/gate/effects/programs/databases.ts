import { always, READ, type Rule, unknown, worst } from '../rule.ts';

const versionOnly = (args: Parameters<Rule>[0]) =>
  args.length === 1 && /^(--version|-V|--help|-\?)$/.test(args[0]?.text ?? '');

/** What an SQL text does cannot be told from its first word: functions write, too. */
const sql: Rule = (args) => {
  if (versionOnly(args)) return READ;
  const texts = args.map(({ text }) => text).join('\n');
  if (args.some(({ text }) => /^(-f|--file|-i|--input)(=|$)/.test(text) || /^-f./.test(text)))
    return { effect: 'external', reason: 'runs a file of SQL in a database', tags: ['network'] };
  if (
    /\b(insert|update|delete|drop|alter|create|truncate|grant|revoke|copy|merge|replace|vacuum|call|do|set)\b/i.test(
      texts,
    )
  )
    return { effect: 'external', reason: 'changes a database', tags: ['network'] };
  return unknown('runs SQL in a database', 'network');
};

const sqlite: Rule = (args) => {
  if (versionOnly(args)) return READ;
  const statements = args
    .slice(1)
    .map(({ text }) => text)
    .join(' ');
  return /\b(insert|update|delete|drop|alter|create|truncate|replace|vacuum|attach)\b/i.test(statements)
    ? { effect: 'write', reason: 'changes a database file' }
    : unknown('runs SQL in a database file');
};

/** Commands that only answer. Everything else may change what others use. */
const REDIS_READS =
  /^(get|mget|hget|hgetall|hmget|hkeys|hlen|keys|scan|ttl|pttl|type|exists|info|ping|dbsize|llen|lrange|scard|smembers|zcard|zrange|zscore|xlen|xrange|strlen|memory|time|role)$/i;

/** Clients of databases and queues, and the tools that migrate them. */
export const DATABASES: Readonly<Record<string, Rule>> = {
  'psql mysql mariadb sqlcmd clickhouse-client cockroach sqlplus snowsql usql': sql,
  'sqlite3 sqlite duckdb': sqlite,
  'pg_dump pg_dumpall mysqldump mongodump': always(
    'write',
    'copies a database into a file or to the screen',
    'network',
    'secret-read',
  ),
  'pg_restore createdb dropdb createuser dropuser mysqladmin mongorestore mongoimport pgbench vacuumdb reindexdb pg_ctl initdb':
    always('external', 'changes a database', 'network'),
  'redis-cli valkey-cli keydb-cli': (args) => {
    if (versionOnly(args)) return READ;
    const at = args.findIndex(
      ({ text }, index) =>
        !text.startsWith('-') &&
        !/^-[hpnasu]$/.test(args[index - 1]?.text ?? '') &&
        !/^--(user|pass)$/.test(args[index - 1]?.text ?? ''),
    );
    const command = at === -1 ? undefined : args[at];
    if (args.some(({ text }) => /^--(pipe|eval|cluster|rdb|replica|functions-rdb)$/.test(text)))
      return { effect: 'external', reason: 'changes a Redis, or may', tags: ['network'] };
    if (command === undefined) return unknown('is interactive, or reads commands', 'network');
    return REDIS_READS.test(command.text) && args.every(({ literal }) => literal)
      ? worst(unknown('asks a Redis, which may be handraise’s own', 'network'), READ)
      : { effect: 'external', reason: 'changes a Redis', tags: ['network'] };
  },
  'mongosh mongo mongoexport': (args) =>
    versionOnly(args) ? READ : { effect: 'external', reason: 'may change a database', tags: ['network'] },
  'cqlsh influx kafka-console-producer kafka-topics kafkacat kcat rabbitmqadmin nats etcdctl zookeeper-shell': (
    args,
  ) => (versionOnly(args) ? READ : { effect: 'external', reason: 'may change a shared store', tags: ['network'] }),
  prisma: migrating(/^(migrate|db)$/, /^(generate|format|init|dev)$/),
  'knex sequelize typeorm drizzle-kit flyway liquibase alembic dbmate goose sqitch migrate atlas rails django-admin artisan diesel sqlx hasura':
    migrating(
      /^(migrate|db|up|down|push|update|upgrade|downgrade|rollback|deploy|run|database|apply|reset|seed)/,
      /^(generate|init|new|create|make|revision)/,
    ),
};

function migrating(changes: RegExp, writes: RegExp): Rule {
  return (args) => {
    if (versionOnly(args)) return READ;
    const words = args.filter(({ text }) => !text.startsWith('-')).map(({ text }) => text);
    if (words.some((word) => changes.test(word)))
      return { effect: 'external', reason: 'changes the database that its environment names', tags: ['network'] };
    return words.some((word) => writes.test(word))
      ? { effect: 'write', reason: 'writes generated code', tags: ['code-exec'] }
      : unknown('runs code of the project', 'code-exec');
  };
}
