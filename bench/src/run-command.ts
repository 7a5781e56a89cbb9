import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { placed } from './processes.ts'

const execute = promisify(execFile)

/** Runs a load command on its assigned core and returns its output; kills it after `timeoutMs`. */
export async function runLoadCommand(command: readonly string[], timeoutMs: number): Promise<string> {
  const [program, ...rest] = placed('load', command)
  const { stdout } = await execute(program, rest, { timeout: timeoutMs, killSignal: 'SIGKILL' })
  return stdout
}

/** Parses the last line that starts with `mark` as JSON with numbers by name. */
export function numbersAfter(mark: string, output: string): Readonly<Record<string, number>> {
  const line = output.split('\n').findLast((candidate) => candidate.startsWith(mark))
  if (line === undefined) throw new Error(`the load tool printed no result:\n${output.slice(-1000)}`)
  const value: unknown = JSON.parse(line.slice(mark.length))
  if (typeof value !== 'object' || value === null) throw new Error('the result of the load tool is an object')
  return Object.fromEntries(Object.entries(value).map(([name, number]) => [name, Number(number)]))
}
