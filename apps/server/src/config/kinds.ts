import ipaddr from 'ipaddr.js'
import { Secret } from '@tollgate/kit/secret'
import { z } from 'zod'

/** One environment variable with its name, its default, its allowed values and the reason for them. */
export interface Setting<Value = unknown> {
  readonly name: string
  /** A more specific variable, which wins if both are set. */
  readonly overriddenBy?: string
  /** The default as text, as it would be written in the environment. */
  readonly default: string
  readonly allowed: string
  readonly help: string
  readonly isSecret: boolean
  readonly schema: z.ZodType<Value, string>
}

interface Words {
  readonly name: string
  readonly overriddenBy?: string
  readonly help: string
}

export function whole(words: Words & { default: number; min: number; max: number }): Setting<number> {
  const { min, max } = words
  return setting(words, `a whole number from ${min} to ${max}`, wholeText(min, max))
}

/** A duration that is written in seconds and used in milliseconds. */
export function seconds(words: Words & { default: number; min: number; max: number }): Setting<number> {
  const { min, max } = words
  const schema = wholeText(min, max).transform((value) => value * 1000)
  return setting(words, `seconds, a whole number from ${min} to ${max}`, schema)
}

/** Milliseconds, written as `10ms`, or `always`. */
export function syncTime(words: Words & { default: string }): Setting<number | 'always'> {
  const schema = z
    .string()
    .regex(/^(?:\d{1,4}ms|always)$/)
    .transform((text) => (text === 'always' ? text : Number.parseInt(text, 10)))
  return setting(words, 'milliseconds such as 10ms, up to 9999ms, or always', schema)
}

export function mebibytes(words: Words & { default: number; min: number; max: number }): Setting<number> {
  const { min, max } = words
  const schema = wholeText(min, max).transform((value) => value * 1024 * 1024)
  return setting(words, `MiB, a whole number from ${min} to ${max}`, schema)
}

/** A number from 0 to 1. */
export function share(words: Words & { default: number }): Setting<number> {
  const schema = z
    .string()
    .regex(/^(?:0|1|0?\.\d{1,9}|1\.0+|0\.\d{1,9})$/)
    .transform(Number)
  return setting(words, 'a number from 0 to 1', schema)
}

const YES = new Set(['true', 'True', 'TRUE', 't', 'T', '1'])
const NO = new Set(['false', 'False', 'FALSE', 'f', 'F', '0'])

export function flag(words: Words & { default: boolean }): Setting<boolean> {
  const schema = z
    .string()
    .refine((text) => YES.has(text) || NO.has(text))
    .transform((text) => YES.has(text))
  return setting(words, 'true or false', schema)
}

export function oneOf<const Value extends string>(
  words: Words & { values: readonly [Value, ...Value[]] },
): Setting<Value> {
  const { values } = words
  return setting({ ...words, default: values[0] }, `one of ${values.join(', ')}`, z.enum(values))
}

/** A list of names, separated by commas. */
export function names<const Value extends string>(
  words: Words & { values: readonly [Value, ...Value[]]; default: readonly Value[] },
): Setting<readonly Value[]> {
  const known = z.enum(words.values)
  const schema = z
    .string()
    .max(4096)
    .transform((text) => text.split(',').map((name) => name.trim()))
    .pipe(z.array(known))
  const allowed = `names separated by commas, of: ${words.values.join(', ')}`
  return setting({ ...words, default: words.default.join(',') }, allowed, schema)
}

export function plain(words: Words & { default: string; allowed: string }): Setting<string> {
  return setting(words, words.allowed, z.string().max(4096))
}

/** A secret has no default here: when it is missing, one is generated or the feature is off. */
export function secretText(words: Words & { charactersMin: number }): Setting<string | undefined> {
  const allowed = `at least ${words.charactersMin} characters, and not an example`
  const schema = z
    .string()
    .refine(
      (text) => text === '' || (text.length >= words.charactersMin && !KNOWN_SECRETS.has(text.toLowerCase())),
    )
    .transform((text) => (text === '' ? undefined : text))
  return { ...setting({ ...words, default: '' }, allowed, schema), isSecret: true }
}

/** Example values from the manuals of new-api and its forks, and what people commonly type as a secret. */
const KNOWN_SECRETS = new Set([
  'random_string',
  'random_string_here',
  'your_random_string',
  'your_session_secret',
  'change_me_to_a_random_string',
  'changemechangeme',
  'session_secret_session_secret',
  'secretsecretsecret',
  '1234567890123456',
  '0123456789abcdef',
])

export function webAddress(words: Words): Setting<string | undefined> {
  const schema = z
    .string()
    .refine((text) => text === '' || isWebAddress(text))
    .transform((text) => (text === '' ? undefined : text.replace(/\/+$/, '')))
  return setting({ ...words, default: '' }, 'an http:// or https:// address', schema)
}

/**
 * The address contains a password, so it is never printed. Its host is not checked until the database is
 * opened.
 */
export function databaseAddress(words: Words): Setting<string> {
  const allowed =
    'postgres://user:password@host:5432/database, mysql://user:password@host:3306/database, or local for SQLite'
  return { ...setting({ ...words, default: '' }, allowed, z.string().max(4096)), isSecret: true }
}

/**
 * Like `databaseAddress`, or a file after `sqlite:`. `local`, the value that new-api uses, means the main
 * database.
 */
export function logAddress(words: Words): Setting<string> {
  const allowed = 'postgres://user:password@host:5432/database, mysql://…, or sqlite:data/logs.db'
  const schema = z
    .string()
    .max(4096)
    .transform((text) => (text.startsWith('local') ? '' : text))
  return { ...setting({ ...words, default: '' }, allowed, schema), isSecret: true }
}

export function redisAddress(words: Words): Setting<Secret | undefined> {
  const allowed = 'redis://user:password@host:6379/0, or rediss:// for TLS'
  const schema = z
    .string()
    .refine((text) => text === '' || isRedisAddress(text))
    .transform((text) => (text === '' ? undefined : new Secret(text)))
  return { ...setting({ ...words, default: '' }, allowed, schema), isSecret: true }
}

/** Comma-separated addresses and CIDR ranges. */
export function ranges(words: Words & { default: string }): Setting<readonly string[]> {
  const schema = z
    .string()
    .transform(entriesOf)
    .pipe(z.array(z.string().refine(isRange)).readonly())
  return setting(words, 'addresses or ranges such as 10.0.0.0/8 or fd00::/8, separated by commas', schema)
}

/** Comma-separated hosts, addresses or ranges, each with an optional port. */
export function destinations(words: Words & { default: string }): Setting<readonly string[]> {
  const schema = z
    .string()
    .transform(entriesOf)
    .pipe(z.array(z.string().refine(isDestination)).readonly())
  return setting(
    words,
    'hosts, addresses or ranges, each with an optional :port, separated by commas',
    schema,
  )
}

export function timeZone(words: Words): Setting<string> {
  const schema = z.string().refine((text) => text === '' || isTimeZone(text))
  return setting({ ...words, default: '' }, 'a time zone such as Europe/Berlin', schema)
}

function setting<Value>(
  words: Words & { default: string | number | boolean },
  allowed: string,
  schema: z.ZodType<Value, string>,
): Setting<Value> {
  return {
    name: words.name,
    ...(words.overriddenBy !== undefined && { overriddenBy: words.overriddenBy }),
    help: words.help,
    default: String(words.default),
    allowed,
    isSecret: false,
    schema,
  }
}

function wholeText(min: number, max: number): z.ZodType<number, string> {
  return z
    .string()
    .trim()
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .pipe(z.int().min(min).max(max))
}

function entriesOf(text: string): readonly string[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
}

function isRange(text: string): boolean {
  return ipaddr.isValidCIDR(text) || isAddress(text)
}

/** `ipaddr.isValid` alone also takes octal and shortened forms, which people misread. */
function isAddress(text: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text)
}

function isDestination(text: string): boolean {
  return isRange(text) || /^(?:\[[0-9a-fA-F:]+\]|[A-Za-z0-9.-]{1,253}(?:\/\d{1,2})?)(?::\d{1,5})?$/.test(text)
}

function isWebAddress(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:')
}

function isRedisAddress(text: string): boolean {
  const url = URL.parse(text)
  return (
    url !== null && /^rediss?:$/.test(url.protocol) && url.hostname !== '' && /^\/?\d*$/.test(url.pathname)
  )
}

function isTimeZone(text: string): boolean {
  try {
    return Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
