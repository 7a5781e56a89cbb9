import type { Config } from '../config/index.ts'
import { pino } from 'pino'
import type { DestinationStream, Logger } from 'pino'
import pinoPretty from 'pino-pretty'

/** Header and field names whose values are never logged. */
const HIDDEN_NAMES = ['authorization', 'cookie', 'set-cookie', 'x-api-key', 'password', 'secret', 'token']

/** Matches API keys of the usual forms and bearer tokens anywhere in a line. */
const HIDDEN_PATTERNS =
  /\b(?:sk|pk|rk)-[A-Za-z0-9_-]{8,}|\bAIza[A-Za-z0-9_-]{20,}|\bBearer\s+[A-Za-z0-9._~+/=-]{8,}/g

/** The process log: structured, without bodies, with secrets redacted by field name and by pattern. */
export function createLog({ logLevel, logFormat }: Pick<Config, 'logLevel' | 'logFormat'>): Logger {
  const isPretty = logFormat === 'pretty' || (logFormat === 'auto' && process.stdout.isTTY)
  return logTo(
    isPretty ? pinoPretty({ colorize: true, ignore: 'pid,hostname', sync: true }) : undefined,
    logLevel,
  )
}

export function logTo(destination: DestinationStream | undefined, level: string): Logger {
  const options = {
    level,
    redact: {
      paths: HIDDEN_NAMES.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]),
      censor: '[secret]',
    },
    serializers: { error: pino.stdSerializers.err, err: pino.stdSerializers.err },
    hooks: { streamWrite: scrub },
  }
  return destination ? pino(options, destination) : pino(options)
}

export function scrub(line: string): string {
  return line.replace(HIDDEN_PATTERNS, '[secret]')
}
