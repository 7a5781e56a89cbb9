import { existsSync } from 'node:fs'
import process from 'node:process'
import type { z } from 'zod'
import {
  databaseAddress,
  destinations,
  flag,
  logAddress,
  mebibytes,
  oneOf,
  plain,
  ranges,
  redisAddress,
  seconds,
  secretText,
  timeZone,
  webAddress,
  whole,
} from './config/kinds.ts'
import type { Setting } from './config/kinds.ts'
import { LOG_FILE, contradictions, idleSettings } from './config/rules.ts'
import { loadKeys } from './config/secrets.ts'
import type { Keys } from './config/secrets.ts'

/** Every environment variable the server reads, one field each. Nothing else reads the environment. */
export const settings = {
  port: whole({
    name: 'PORT',
    default: 3000,
    min: 0,
    max: 65_535,
    help: 'Port to listen on; 0 takes a free one.',
  }),
  host: plain({
    name: 'HOST',
    default: '',
    allowed: 'an address of this machine',
    help: 'Address to listen on. Empty: all of them, as the family does; 127.0.0.1 keeps it to this machine.',
  }),
  sqlitePath: plain({
    name: 'SQLITE_PATH',
    default: 'data/tollgate.db',
    allowed: 'a file path, or :memory:',
    help: 'The embedded database. What follows a ? is dropped, as other programs of the family write options there.',
  }),
  sqlDsn: databaseAddress({
    name: 'SQL_DSN',
    help: 'A PostgreSQL, MySQL or MariaDB server that any number of processes may share. Empty: the file at SQLITE_PATH.',
  }),
  logSqlDsn: logAddress({
    name: 'LOG_SQL_DSN',
    help: 'A database of its own for the usage log, of any kind. Rows are moved there within seconds. Empty: with everything else.',
  }),
  redis: redisAddress({
    name: 'REDIS_CONN_STRING',
    help: 'Redis or Valkey, by which several processes share limits and tell each other at once what changed. One needs none; without it each node counts limits for itself, and sees what others changed within SYNC_FREQUENCY.',
  }),
  sessionSecret: secretText({
    name: 'SESSION_SECRET',
    charactersMin: 16,
    help: 'Goes into the hash of session ids: a new one signs everybody out. Missing: made once, in secrets.json beside the database.',
  }),
  cryptoSecret: secretText({
    name: 'CRYPTO_SECRET',
    charactersMin: 16,
    help: 'Encrypts channel keys and other stored secrets: keep it. Missing: made once, in secrets.json beside the database.',
  }),
  nodeType: oneOf({
    name: 'NODE_TYPE',
    values: ['master', 'slave'],
    help: 'A slave changes no tables at its start, leaves the timers to masters, and needs SQL_DSN.',
  }),
  workers: whole({
    name: 'WORKERS',
    default: 1,
    min: 1,
    max: 256,
    help: 'Processes that serve behind the one port, at most one for each core. Beyond one, another one watches over them.',
  }),
  frontendBaseUrl: webAddress({
    name: 'FRONTEND_BASE_URL',
    help: 'Only for a slave: paths of the console are redirected there instead of being served.',
  }),
  releasesUrl: webAddress({
    name: 'RELEASES_URL',
    help: 'Where the newest release is described, in the form of GitHub’s /repos/OWNER/NAME/releases/latest. It is asked only when a super admin checks for updates. Empty: the check is off.',
  }),
  syncMs: seconds({
    name: 'SYNC_FREQUENCY',
    default: 60,
    min: 1,
    max: 3600,
    help: 'How often snapshots are rebuilt without a notice, to catch one that was lost.',
  }),
  channelTestMinutes: whole({
    name: 'CHANNEL_TEST_FREQUENCY',
    default: 0,
    min: 0,
    max: 10_080,
    help: 'Minutes between tests of all channels; 0: only when somebody asks.',
  }),
  channelBalanceMinutes: whole({
    name: 'CHANNEL_UPDATE_FREQUENCY',
    default: 0,
    min: 0,
    max: 10_080,
    help: 'Minutes between questions for the balances of all channels; 0: only when somebody asks.',
  }),
  channelPauseMs: seconds({
    name: 'POLLING_INTERVAL',
    default: 0,
    min: 0,
    max: 600,
    help: 'Pause between two channels in both.',
  }),
  noticesMax: whole({
    name: 'NOTIFY_LIMIT_COUNT',
    default: 2,
    min: 0,
    max: 1000,
    help: 'Messages to the super admin about one channel and kind of change in the window.',
  }),
  noticeWindowMinutes: whole({
    name: 'NOTIFICATION_LIMIT_DURATION_MINUTE',
    default: 10,
    min: 1,
    max: 10_080,
    help: 'That window, in minutes.',
  }),
  isDefaultTokenMade: flag({
    name: 'GENERATE_DEFAULT_TOKEN',
    default: false,
    help: 'A new user gets an API token at registration.',
  }),
  isApiLimited: flag({
    name: 'GLOBAL_API_RATE_LIMIT_ENABLE',
    default: true,
    help: 'Limits /api per client address.',
  }),
  apiLimit: whole({
    name: 'GLOBAL_API_RATE_LIMIT',
    default: 180,
    min: 1,
    max: 1_000_000,
    help: 'Calls of one address to /api in the window.',
  }),
  apiLimitMs: seconds({
    name: 'GLOBAL_API_RATE_LIMIT_DURATION',
    default: 180,
    min: 1,
    max: 86_400,
    help: 'Window of the /api limit.',
  }),
  isWebLimited: flag({
    name: 'GLOBAL_WEB_RATE_LIMIT_ENABLE',
    default: true,
    help: 'Limits unknown paths and files of the console per client address.',
  }),
  webLimit: whole({
    name: 'GLOBAL_WEB_RATE_LIMIT',
    default: 600,
    min: 1,
    max: 1_000_000,
    help: 'Files in the window. The family allows 60, less than one visit of a console in parts needs.',
  }),
  webLimitMs: seconds({
    name: 'GLOBAL_WEB_RATE_LIMIT_DURATION',
    default: 180,
    min: 1,
    max: 86_400,
    help: 'Window of the limit for files.',
  }),
  criticalLimit: whole({
    name: 'CRITICAL_RATE_LIMIT',
    default: 20,
    min: 1,
    max: 1_000_000,
    help: 'Sign-ins, registrations and other calls that could guess, of one address in 20 minutes.',
  }),
  relayTimeoutMs: seconds({
    name: 'RELAY_TIMEOUT',
    default: 0,
    min: 0,
    max: 86_400,
    help: 'Longest wait for the first byte of an upstream; 0 means 10 minutes, so that nothing waits for ever.',
  }),
  streamIdleMs: seconds({
    name: 'STREAMING_TIMEOUT',
    default: 60,
    min: 1,
    max: 3600,
    help: 'Longest silence inside a stream before it is ended.',
  }),
  isUsageAskedFor: flag({
    name: 'FORCE_STREAM_OPTION',
    default: true,
    help: 'Asks upstreams for the usage at the end of a stream, also when the caller does not.',
  }),
  areTasksPolled: flag({
    name: 'UPDATE_TASK',
    default: true,
    help: 'Asks upstreams how drawing and music tasks are, and ends those that are lost. Off: only callbacks move them.',
  }),
  relayBodyBytesMax: mebibytes({
    name: 'MAX_REQUEST_BODY_MB',
    default: 32,
    min: 1,
    max: 512,
    help: 'Largest relay request, counted after inflating.',
  }),
  mediaBytesMax: mebibytes({
    name: 'MAX_FILE_DOWNLOAD_MB',
    default: 20,
    min: 1,
    max: 512,
    help: 'Most that is fetched from the addresses of images and files in one relay request.',
  }),
  drainMs: seconds({
    name: 'DRAIN_SECONDS',
    default: 30,
    min: 0,
    max: 3600,
    help: 'How long open streams may go on after the signal to stop.',
  }),
  trustedProxies: ranges({
    name: 'TRUSTED_PROXIES',
    default: '',
    help: 'Proxies whose X-Forwarded-For is believed. Empty: none, the client is the peer of the socket.',
  }),
  egressAllow: destinations({
    name: 'EGRESS_ALLOW',
    default: '',
    help: 'Private destinations that channels may use, for example localhost:11434. Public ones need no entry.',
  }),
  metricsToken: secretText({
    name: 'METRICS_TOKEN',
    charactersMin: 16,
    help: 'Bearer token that opens /metrics. Empty: the page does not exist.',
  }),
  logLevel: oneOf({
    name: 'LOG_LEVEL',
    values: ['info', 'trace', 'debug', 'warn', 'error', 'fatal', 'silent'],
    help: 'What is printed.',
  }),
  logFormat: oneOf({
    name: 'LOG_FORMAT',
    values: ['auto', 'json', 'pretty'],
    help: 'auto: pretty in a terminal, JSON lines elsewhere.',
  }),
  timeZone: timeZone({
    name: 'TZ',
    help: 'Time zone of printed texts and of the days, weeks and months of budgets; the same on every node. Empty: that of the machine.',
  }),
} as const satisfies Record<string, Setting>

/** Names of the family without effect here; setting one prints the reason. */
export const ignoredSettings: Readonly<Record<string, string>> = {
  SQL_MAX_IDLE_CONNS: 'connections are opened as they are needed, a dozen at most, and closed when idle',
  SQL_MAX_OPEN_CONNS: 'connections are opened as they are needed, a dozen at most, and closed when idle',
  SQL_MAX_LIFETIME: 'connections are opened as they are needed, a dozen at most, and closed when idle',
  REDIS_POOL_SIZE: 'one connection to Redis serves a process',
  MEMORY_CACHE_ENABLED: 'channels and settings are always read from memory',
  BATCH_UPDATE_ENABLED: 'the ledger always commits in batches, without losing any',
  BATCH_UPDATE_INTERVAL: 'the ledger always commits in batches, within a millisecond',
  GET_MEDIA_TOKEN: 'media are counted when the upstream reports no usage',
  GET_MEDIA_TOKEN_NOT_STREAM: 'media are counted when the upstream reports no usage',
  GIN_MODE: 'see LOG_LEVEL',
  DEBUG: 'see LOG_LEVEL',
  ENABLE_PPROF: 'use node --inspect',
  TIKTOKEN_CACHE_DIR: 'tokenizers are part of the installation',
}

export type SettingKey = keyof typeof settings
type Values = { readonly [Key in SettingKey]: z.output<(typeof settings)[Key]['schema']> }

export interface Config extends Omit<Values, 'sessionSecret' | 'cryptoSecret'> {
  readonly keys: Keys
  /** Lines about variables that are set and do nothing. */
  readonly warnings: readonly string[]
}

/** One line for each variable that cannot be used. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

export type Environment = Readonly<Record<string, string | undefined>>

/** The configuration of this process: `.env` in the working directory first, where an existing variable wins. */
export function loadConfig(): Config {
  loadFile()
  const config = readConfig(process.env)
  // A zone from .env comes after Node's start; writing the variable makes it effective.
  if (config.timeZone !== '') process.env['TZ'] = config.timeZone
  return config
}

/** Where the database is. */
export interface Place extends Pick<Config, 'sqlDsn' | 'sqlitePath'> {
  readonly logPlace?: LogPlace | undefined
  /** Both secrets come from the environment, so that the secrets file does not matter. */
  readonly isSecretGiven: boolean
}

/** For commands that only look: nothing is made, no secrets either. */
export function loadPlace(): Place {
  loadFile()
  return readPlace(process.env)
}

export function readPlace(environment: Environment): Place {
  const { sqlDsn, sqlitePath, logSqlDsn, sessionSecret, cryptoSecret } = readValues(environment)
  const isSecretGiven = sessionSecret !== undefined && cryptoSecret !== undefined
  return { sqlDsn, sqlitePath: withoutOptions(sqlitePath), logPlace: logPlaceOf(logSqlDsn), isSecretGiven }
}

/** A server or a file. */
export type LogPlace = { readonly dsn: string } | { readonly sqlitePath: string }

/** Nothing when the usage log is with everything else. */
export function logPlaceOf(logSqlDsn: string): LogPlace | undefined {
  if (logSqlDsn === '') return undefined
  return logSqlDsn.startsWith(LOG_FILE)
    ? { sqlitePath: logSqlDsn.slice(LOG_FILE.length) }
    : { dsn: logSqlDsn }
}

function loadFile(): void {
  if (existsSync('.env')) process.loadEnvFile('.env')
}

/** Throws a {@link ConfigError} that names every variable that cannot be used. */
export function readConfig(environment: Environment): Config {
  const all = readValues(environment)
  const lines = contradictions(all)
  if (lines.length > 0) throw new ConfigError(lines.join('\n'))
  const { sessionSecret, cryptoSecret, ...values } = all
  const sqlitePath = withoutOptions(values.sqlitePath)
  return {
    ...values,
    sqlitePath,
    keys: loadKeys({ sessionSecret, cryptoSecret, sqlitePath }),
    warnings: [...warningsFor(environment), ...idleSettings(all)],
  }
}

function withoutOptions(sqlitePath: string): string {
  return sqlitePath.split('?')[0] ?? sqlitePath
}

function readValues(environment: Environment): Values {
  const lines: string[] = []
  const read = <Value>(setting: Setting<Value>): Value | undefined => {
    const parsed = setting.schema.safeParse(textOf(setting, environment))
    if (parsed.success) return parsed.data
    lines.push(complaint(setting, textOf(setting, environment)))
    return undefined
  }
  const entries = Object.entries<Setting>(settings).map(([key, setting]) => [key, read(setting)] as const)
  if (lines.length > 0) throw new ConfigError(lines.join('\n'))
  return valuesFrom(entries)
}

/** An empty variable counts as absent, as `NAME=` in a file is how people switch something off. */
function textOf(setting: Setting, environment: Environment): string {
  const text = environment[setting.name]?.trim() ?? ''
  return text === '' ? setting.default : text
}

function complaint(setting: Setting, text: string): string {
  const shown = setting.isSecret ? '(not shown)' : text.length > 80 ? `${text.slice(0, 80)}…` : text
  return `${setting.name}=${shown}: allowed is ${setting.allowed}`
}

/** Every entry was parsed by the setting of its key. */
function valuesFrom(entries: readonly (readonly [string, unknown])[]): Values {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  return Object.fromEntries(entries) as Values
}

function warningsFor(environment: Environment): readonly string[] {
  return Object.entries(ignoredSettings)
    .filter(([name]) => (environment[name] ?? '') !== '')
    .map(([name, reason]) => `${name} has no effect: ${reason}`)
}
