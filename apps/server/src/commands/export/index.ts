import { existsSync } from 'node:fs'
import { once } from 'node:events'
import process from 'node:process'
import { systemClock } from '@tollgate/kit/clock'
import { type Cipher, openCipher } from '@tollgate/kit/cipher'
import { openView } from '@tollgate/store/database/open-view'
import { loadConfig, loadPlace } from '../../config/index.ts'
import { CommandError, defineCommand } from '../command.ts'
import { runExport } from './run-export.ts'
import { type LineFile, openLineFile } from '../line-file.ts'

export const command = defineCommand({
  help: `tollgate export [--to <file.jsonl>] [--with-logs] [--with-secrets] [--json]

Writes everything the operator owns as JSON lines, as it is at one moment, also while the gateway runs.

--to           the file; without it the lines go to standard output
--with-logs    the usage log too
--with-secrets passwords' hashes, tokens and channel keys in clear text: whoever has the file has them
`,
  options: {
    to: { type: 'string' },
    'with-logs': { type: 'boolean', default: false },
    'with-secrets': { type: 'boolean', default: false },
  },
  writesOutput: ({ to }) => to === undefined,
  run: async ({ to, 'with-logs': withLogs, 'with-secrets': withSecrets }, progress) => {
    if (to !== undefined && existsSync(to)) throw new CommandError(`${to} exists already: name another file.`)
    const { sqlDsn, sqlitePath, logPlace } = loadPlace()
    const view = await openView({ dsn: sqlDsn, sqlitePath })
    const logs = logPlace && withLogs ? await openView(logPlace) : undefined
    const cipher = withSecrets ? explainingCipher(openCipher(loadConfig().keys.cipher)) : undefined
    const output = to === undefined ? standardOutput() : await openLineFile(to)
    const write = (line: string) => output.write(line)
    const nowMs = systemClock.nowMs()
    const counts = await runExport({ view, logs, cipher, withLogs, nowMs, write, progress }).catch(
      async (error: unknown) => {
        await output.abandon()
        throw error
      },
    )
    await output.close()
    return {
      code: 0,
      lines: [...counts].map(
        ([table, count]) => `${table.padEnd(13)}${count.toLocaleString('en').padStart(14)}`,
      ),
      json: { file: to ?? null, tables: Object.fromEntries(counts) },
      warnings: cipher ? ['The export holds secrets in clear text: keep it safe.'] : [],
    }
  },
})

/**
 * Replaces decryption errors with a message that explains them: a secret that does not decrypt was encrypted
 * with another key.
 */
function explainingCipher(cipher: Cipher): Cipher {
  return {
    ...cipher,
    decrypt: (sealed, context) => {
      try {
        return cipher.decrypt(sealed, context)
      } catch (cause) {
        throw new CommandError(
          'The secrets in this database were sealed with another CRYPTO_SECRET: set the one that the gateway runs with.',
          { cause },
        )
      }
    },
  }
}

/** Writes lines to standard output. The reader may close the pipe at any time. */
function standardOutput(): LineFile {
  const { stdout } = process
  stdout.on('error', (error) => {
    if ('code' in error && error.code === 'EPIPE') process.exit(0)
  })
  return {
    write: async (line) => {
      if (!stdout.write(line)) await once(stdout, 'drain')
    },
    close: async () => undefined,
    abandon: async () => undefined,
  }
}
