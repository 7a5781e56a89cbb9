// Lets a signal end a script as its own exit would, so that what is registered for the exit is done.
import process from 'node:process'

const CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 }

let isWatching = false

export function exitOnSignals() {
  if (isWatching) return
  isWatching = true
  for (const [signal, code] of Object.entries(CODES)) process.on(signal, () => process.exit(code))
  // npm passes a signal to its shell, which dies without notifying this process.
  const parent = process.ppid
  if (process.env['npm_lifecycle_event'] !== undefined)
    setInterval(() => process.ppid !== parent && process.exit(CODES.SIGTERM), 500).unref()
}
