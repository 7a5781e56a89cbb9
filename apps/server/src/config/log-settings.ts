import { flag, oneOf } from './kinds.ts'
import type { Setting } from './kinds.ts'

/** What the process log has. */
export const logSettings = {
  logLevel: oneOf({
    name: 'LOG_LEVEL',
    values: ['info', 'trace', 'debug', 'warn', 'error', 'fatal', 'silent'],
    help: 'Minimum level of printed lines.',
  }),
  logFormat: oneOf({
    name: 'LOG_FORMAT',
    values: ['auto', 'json', 'pretty'],
    help: 'auto: readable text in a terminal, JSON lines elsewhere.',
  }),
  isAccessLogged: flag({
    name: 'ACCESS_LOG',
    default: false,
    help: 'Prints a line for each request: method, path without query, status, duration, address and request id.',
  }),
} as const satisfies Record<string, Setting>
