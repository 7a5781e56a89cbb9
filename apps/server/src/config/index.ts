import { existsSync } from 'node:fs'
import process from 'node:process'
import type { z } from 'zod'
import type { Setting } from './kinds.ts'
import type { Environment } from './environment.ts'
import { LOG_FILE, contradictions, idleSettings } from './rules.ts'
import { isServerDsn } from '@tollgate/store/server/dsn'
import { loadKeys, findSecretsPath } from './secrets.ts'
import type { Keys } from './secrets.ts'
import { ignoredSettings } from './ignored-settings.ts'
import { findMisspelt } from './misspelt-settings.ts'
import { readSecretFiles } from './secret-files.ts'
import { settings } from './settings.ts'

type SettingKey = keyof typeof settings
type Values = { readonly [Key in SettingKey]: z.output<(typeof settings)[Key]['schema']> }

export interface Config extends Omit<Values, 'sessionSecret' | 'cryptoSecret'> {
  readonly keys: Keys
  /** One line per variable that is set but has no effect. */
  readonly warnings: readonly string[]
}

/** The message has one line per variable that cannot be used. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/**
 * Reads the configuration of this process. `.env` in the working directory is loaded first; variables that
 * are already set win over it.
 */
export function loadConfig(): Config {
  loadFile()
  const config = readConfig(process.env)
  // A TZ from `.env` is read after Node has started; assigning the variable makes it effective.
  if (config.timeZone !== '') process.env['TZ'] = config.timeZone
  return config
}

/** The zone before the site had one of its own. */
const ownZone = { isKept: false, name: undefined as string | undefined }

/**
 * Makes the site's time zone that of this process, so that its days are those of budgets, check-ins and statements.
 * Empty: the zone that the process began with.
 */
export function setTimeZone(name: string): void {
  if (!ownZone.isKept) Object.assign(ownZone, { isKept: true, name: process.env['TZ'] })
  const zone = name === '' ? ownZone.name : name
  if (zone === process.env['TZ']) return
  if (zone === undefined) delete process.env['TZ']
  else process.env['TZ'] = zone
}

/** For a process of this program that works on the same database. */
export function childEnvironment(changed: Environment): NodeJS.ProcessEnv {
  return { ...process.env, ...changed }
}

/**
 * The key of stored secrets, for a command that copies a database of ours to a server: that of the environment, or
 * else of `secrets.json` beside the file that is copied. None is made up, because the copy has secrets already.
 */
export function loadCopyKey(): Buffer {
  loadFile()
  return readCopyKey(process.env)
}

export function readCopyKey(environment: Environment): Buffer {
  const { sqlDsn, sqlitePath, sessionSecret, cryptoSecret } = readValues(environment)
  const path = withoutOptions(sqlitePath)
  if (isServerDsn(sqlDsn) && cryptoSecret === undefined && !existsSync(findSecretsPath(path)))
    throw new ConfigError(
      `CRYPTO_SECRET: must be given, or ${findSecretsPath(path)} be there, as it was for the source`,
    )
  // With the key at hand, no file of secrets is made for a session secret that this command does not use.
  return loadKeys({ sessionSecret: sessionSecret ?? cryptoSecret, cryptoSecret, sqlitePath: path }).cipher
}

/** Where the database is. */
export interface Place extends Pick<Config, 'sqlDsn' | 'sqlitePath'> {
  readonly installationId?: string
  readonly logPlace?: LogPlace | undefined
  /** True when both secrets come from the environment, so that the secrets file is not used. */
  readonly isSecretGiven: boolean
}

/** For commands that only read: creates nothing, not even secrets. */
export function loadPlace(): Place {
  loadFile()
  return readPlace(process.env)
}

export function readPlace(environment: Environment): Place {
  const { sqlDirectDsn, sqlitePath, installationId, logSqlDsn, sessionSecret, cryptoSecret, ...values } =
    readValues(environment)
  // Commands use session state, which a pooler may not keep.
  const sqlDsn = sqlDirectDsn === '' ? values.sqlDsn : sqlDirectDsn
  const isSecretGiven = sessionSecret !== undefined && cryptoSecret !== undefined
  return {
    sqlDsn,
    sqlitePath: withoutOptions(sqlitePath),
    installationId,
    logPlace: logPlaceOf(logSqlDsn),
    isSecretGiven,
  }
}

/** How a bucket is opened; the address is an argument of the command. */
export interface BucketAccess {
  readonly region: string
  readonly accessKey: string
  readonly secret: string
}

export function loadBucketAccess(): BucketAccess {
  loadFile()
  const { bucketRegion: region, bucketKey: accessKey, bucketSecret: secret } = readValues(process.env)
  return { region, accessKey, secret }
}

/** The usage log's own database: a server or a SQLite file. */
export type LogPlace = { readonly dsn: string } | { readonly sqlitePath: string }

/** Returns `undefined` when the usage log is in the main database. */
export function logPlaceOf(logSqlDsn: string): LogPlace | undefined {
  if (logSqlDsn === '') return undefined
  return logSqlDsn.startsWith(LOG_FILE)
    ? { sqlitePath: logSqlDsn.slice(LOG_FILE.length) }
    : { dsn: logSqlDsn }
}

function loadFile(): void {
  if (existsSync('.env')) process.loadEnvFile('.env')
}

/** Throws a {@link ConfigError} that lists every variable with an invalid value. */
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
    drainNoticeMs: noticeMs(environment, values),
    warnings: [...warningsFor(environment), ...findMisspelt(environment, settingNames), ...idleSettings(all)],
  }
}

function withoutOptions(sqlitePath: string): string {
  return sqlitePath.split('?')[0] ?? sqlitePath
}

function readValues(raw: Environment): Values {
  const { environment, lines: fileLines } = readSecretFiles(raw, Object.values<Setting>(settings))
  const lines = [...fileLines]
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

/** An empty variable counts as absent, because `NAME=` in a file is the usual way to switch something off. */
function textOf(setting: Setting, environment: Environment): string {
  const { name, overriddenBy = name } = setting
  const text = environment[overriddenBy]?.trim() || environment[name]?.trim() || ''
  return text === '' ? setting.default : text
}

function complaint(setting: Setting, text: string): string {
  const shown = setting.isSecret ? '(not shown)' : text.length > 80 ? `${text.slice(0, 80)}…` : text
  return `${setting.name}=${shown}: allowed is ${setting.allowed}`
}

/** The cast is safe: every entry was parsed by the setting of its key. */
function valuesFrom(entries: readonly (readonly [string, unknown])[]): Values {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  return Object.fromEntries(entries) as Values
}

const settingNames = Object.values<Setting>(settings).flatMap(({ name, overriddenBy }) =>
  overriddenBy === undefined ? [name] : [name, overriddenBy],
)

/** Longer than the interval and the number of checks of the load balancers in `deploy/`. */
const NOTICE_MS = 6_000

/** Several gateways share a database server, and then something in front of them has to notice a stop. */
function noticeMs(
  environment: Environment,
  { sqlDsn, drainNoticeMs }: Pick<Values, 'sqlDsn' | 'drainNoticeMs'>,
): number {
  const isGiven = (environment[settings.drainNoticeMs.name]?.trim() ?? '') !== ''
  return isGiven || !isServerDsn(sqlDsn) ? drainNoticeMs : NOTICE_MS
}

function warningsFor(environment: Environment): readonly string[] {
  return Object.entries(ignoredSettings)
    .filter(([name]) => (environment[name] ?? '') !== '')
    .map(([name, reason]) => `${name} has no effect: ${reason}`)
}
