import process from 'node:process'
import { UsageError } from './commands/command.ts'
import { runCommand } from './commands/run-command.ts'
import { isVerb, overview, verbs } from './commands/verbs.ts'
import { version } from './version.ts'

// The program `tollgate`: starts the gateway or runs one of the other commands. Only the chosen one is loaded.

const [verb = 'start', ...args] = process.argv.slice(2)
if (verb === 'start' && args.length === 0) await import('./main.ts')
else await runCommand(() => run(verb, args))

async function run(name: string, options: readonly string[]): Promise<number> {
  if (isVerb(name)) return (await verbs[name].load()).command.run(options)
  if (name === '--version' || name === '-v') process.stdout.write(`${version}\n`)
  else if (name === '--help' || name === '-h' || name === 'help') process.stdout.write(await help(options))
  else throw new UsageError(`There is no command ${JSON.stringify(name)}: tollgate --help lists them.`)
  return 0
}

async function help([name]: readonly string[]): Promise<string> {
  return name !== undefined && isVerb(name) ? (await verbs[name].load()).command.help : overview()
}
