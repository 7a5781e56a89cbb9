/**
 * `npm run bench -- aims [--seconds 8] [--rounds 3]`: measures every aim of the hot path, each with the command
 * that the table in docs/reference/performance.md names, and prints all of them in one table.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { aims } from './src/aims/aims.ts'
import { aimKeys, aimsTable } from './src/aims/aims-table.ts'
import { FIGURES_VARIABLE, readFigures } from './src/aims/figures-file.ts'
import { say } from './src/say.ts'

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '8' }, rounds: { type: 'string', default: '3' } },
})
const directory = mkdtempSync(join(tmpdir(), 'tollgate-aims-'))
const file = join(directory, 'figures.json')
try {
  for (const command of new Set(aimKeys().map((key) => aims[key].command))) {
    const [program, args] = programOf(command)
    say(`\nnpm run bench -- ${[command, ...args.slice(command.split(' ').length)].join(' ')}`)
    const result = spawnSync(process.execPath, [join(import.meta.dirname, program), ...args], {
      stdio: 'inherit',
      env: { ...process.env, [FIGURES_VARIABLE]: file },
    })
    if (result.status !== 0) say(`this command failed, and its aims are not measured: ${command}`)
  }
  say(`\n${aimsTable(readFigures(file))}`)
} finally {
  rmSync(directory, { recursive: true, force: true })
}

/** The file in this folder and its arguments. */
function programOf(command: string): readonly [file: string, args: readonly string[]] {
  const words = command.split(' ')
  const [first = '', ...rest] = words
  if (first.startsWith('--')) {
    const isComparison = words.includes('--target')
    const extent = isComparison ? ['--seconds', values.seconds, '--rounds', values.rounds] : []
    return ['run.ts', [...words, ...extent]]
  }
  return [`${first}.ts`, rest]
}
