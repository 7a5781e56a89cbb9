import process from 'node:process'
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { type Progress, openProgress, silentProgress } from './progress.ts'

/** The operator requested something that is not possible. The message is one sentence. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError'
}

/** The command line itself is wrong: an option is missing or has an impossible value. */
export class UsageError extends CommandError {
  override readonly name = 'UsageError'
}

/** What a command did, for people and for programs. */
export interface Outcome {
  /** 0, or 1 when a check found something. */
  readonly code: 0 | 1
  /** Printed on standard output, unless `--json` asks for the value. */
  readonly lines: readonly string[]
  readonly json: unknown
  /** Printed on the error output in both cases. */
  readonly warnings?: readonly string[]
}

export interface Command {
  readonly help: string
  /** Resolves to the exit code. */
  run(args: readonly string[]): Promise<number>
}

interface Definition<Options extends ParseArgsOptionsConfig> {
  readonly help: string
  readonly options: Options
  /** The result goes to the error output, because the command itself writes to standard output. */
  readonly writesOutput?: (values: Values<Options>) => boolean
  readonly run: (values: Values<Options>, progress: Progress) => Promise<Outcome>
}

type Values<Options extends ParseArgsOptionsConfig> = ReturnType<
  typeof parseArgs<{ options: Options; strict: true }>
>['values']

const COMMON = { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const

const COMMON_HELP = `--json         the result as JSON, without progress
--help         this text

Exit codes: 0 done, 1 refused or something was found, 2 wrong command line.
`

/** Adds `--json` and `--help` to the options of a command and prints its result. */
export function defineCommand<const Options extends ParseArgsOptionsConfig>({
  help,
  options,
  writesOutput = () => false,
  run,
}: Definition<Options>): Command {
  const text = `${help}${COMMON_HELP}`
  return {
    help: text,
    run: async (args) => {
      const common: { json?: boolean; help?: boolean } = parseArgs({
        args: [...args],
        options: { ...options, ...COMMON },
      }).values
      if (common.help) {
        process.stdout.write(text)
        return 0
      }
      const { values } = parseArgs({ args: args.filter((arg) => arg !== '--json'), options, strict: true })
      const progress = common.json ? silentProgress : openProgress(process.stderr)
      const outcome = await run(values, progress)
      print(outcome, { isJson: common.json === true, stream: writesOutput(values) ? 'stderr' : 'stdout' })
      return outcome.code
    },
  }
}

function print(
  { lines, json, warnings = [] }: Outcome,
  { isJson, stream }: { isJson: boolean; stream: 'stdout' | 'stderr' },
): void {
  process[stream].write(isJson ? jsonText(json) : lines.map((line) => `${line}\n`).join(''))
  for (const line of warnings) process.stderr.write(`${line}\n`)
}

/** Amounts become strings, because they may exceed the range of JSON numbers. */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, (_key, one: unknown) => (typeof one === 'bigint' ? String(one) : one), 2)}\n`
}
