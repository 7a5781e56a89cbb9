import type { Config } from '../config.ts'
import { pino } from 'pino'
import type { DestinationStream, Logger } from 'pino'
import pinoPretty from 'pino-pretty'

/** Header and field names whose values never reach a log. */
const HIDDEN_NAMES = ['authorization', 'cookie', 'set-cookie', 'x-api-key', 'password', 'secret', 'token']

/** Keys of the usual kinds and bearer tokens, wherever in a line they stand. */
const HIDDEN_PATTERNS =
  /\b(?:sk|pk|rk)-[A-Za-z0-9_-]{8,}|\bAIza[A-Za-z0-9_-]{20,}|\bBearer\s+[A-Za-z0-9._~+/=-]{8,}/g

/** The process log: structured, redacted by name and by pattern, without bodies. */
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
