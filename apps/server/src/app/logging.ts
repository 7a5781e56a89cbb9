import type { Config } from '../config/index.ts'
import { pino } from 'pino'
import type { DestinationStream, Logger } from 'pino'
import pinoPretty from 'pino-pretty'

/** Header and field names whose values are never logged. */
const HIDDEN_NAMES = ['authorization', 'cookie', 'set-cookie', 'x-api-key', 'password', 'secret', 'token']

/** Matches API keys of the usual forms and bearer tokens anywhere in a line. */
const HIDDEN_PATTERNS =
  /\b(?:sk|pk|rk)-[A-Za-z0-9_-]{8,}|\bAIza[A-Za-z0-9_-]{20,}|\bBearer\s+[A-Za-z0-9._~+/=-]{8,}/g

export interface ProcessLog {
  readonly log: Logger
  /** Prints a line as it is, behind the log lines so far. */
  readonly print: (line: string) => void
}

type LogConfig = Pick<Config, 'logLevel' | 'logFormat'>

/** The process log: structured, without bodies, with secrets redacted by field name and by pattern. */
export function openLog({ logLevel, logFormat }: LogConfig): ProcessLog {
  const isPretty = logFormat === 'pretty' || (logFormat === 'auto' && process.stdout.isTTY)
  if (isPretty)
    return {
      log: logTo(pinoPretty({ colorize: true, ignore: 'pid,hostname', sync: true }), logLevel),
      print: (line) => void process.stdout.write(`${line}\n`),
    }
  // Lines wait in memory for a slow reader, so a line written to the process's output directly may overtake them.
  const destination = pino.destination({ dest: process.stdout.fd, sync: false })
  return { log: logTo(destination, logLevel), print: (line) => void destination.write(`${line}\n`) }
}

export function createLog(config: LogConfig): Logger {
  return openLog(config).log
}

export function logTo(destination: DestinationStream, level: string): Logger {
  const options = {
    level,
    redact: {
      paths: HIDDEN_NAMES.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]),
      censor: '[secret]',
    },
    serializers: { error: pino.stdSerializers.err, err: pino.stdSerializers.err },
    hooks: { streamWrite: scrub },
  }
  return pino(options, destination)
}

export function scrub(line: string): string {
  return line.replace(HIDDEN_PATTERNS, '[secret]')
}
