import type { ReadStream } from 'node:tty'
import { UsageError } from '../command.ts'

/** More than the longest password, in any encoding. */
const BYTES_MAX = 4_096

/** Reads the first line. A password is never an argument, because other users of the machine can see those. */
export async function readPassword(
  input: NodeJS.ReadableStream & Partial<Pick<ReadStream, 'isTTY'>>,
): Promise<string> {
  if (input.isTTY)
    throw new UsageError(
      'Pass the password on standard input: tollgate setup --username <name> < password.txt',
    )
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of input) {
    const bytes = Buffer.from(chunk)
    chunks.push(bytes)
    length += bytes.length
    if (length > BYTES_MAX || bytes.includes('\n')) break
  }
  return Buffer.concat(chunks).toString('utf8').split(/\r?\n/)[0] ?? ''
}
