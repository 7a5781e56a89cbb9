import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { placed } from './processes.ts'

const execute = promisify(execFile)

/** Runs a load command in its place and returns what it printed; killed when it takes longer than it was given. */
export async function runLoadCommand(command: readonly string[], timeoutMs: number): Promise<string> {
  const [program, ...rest] = placed('load', command)
  const { stdout } = await execute(program, rest, { timeout: timeoutMs, killSignal: 'SIGKILL' })
  return stdout
}

/** The last line that starts with the mark, parsed as JSON numbers by name. */
export function numbersAfter(mark: string, output: string): Readonly<Record<string, number>> {
  const line = output.split('\n').findLast((candidate) => candidate.startsWith(mark))
  if (line === undefined) throw new Error(`the load tool printed no result:\n${output.slice(-1000)}`)
  const value: unknown = JSON.parse(line.slice(mark.length))
  if (typeof value !== 'object' || value === null) throw new Error('the result of the load tool is an object')
  return Object.fromEntries(Object.entries(value).map(([name, number]) => [name, Number(number)]))
}
