// `npm run test:attacks`: runs the complete attack corpus and prints its counts. `--measure` puts a real
// gateway under attack beside ordinary calls; `--mutate` removes every guard, one at a time, and expects the
// corpus to detect it.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { ensureInstalled, root } from './install.mjs'
import { runStep, tool } from './steps.mjs'

ensureInstalled('full')
const [mode, ...rest] = process.argv.slice(2)
if (mode === '--measure' || mode === '--mutate') await runProgram(mode.slice(2), rest)
else await runCorpus(process.argv.slice(2))

async function runProgram(name, args) {
  const program = join(root, 'apps/server/test/attacks', `${name}.ts`)
  const { isGreen } = await runStep({ name, args: ['--expose-gc', program, ...args] })
  process.exit(isGreen ? 0 : 1)
}

async function runCorpus(args) {
  const { floors } = await import('../apps/server/test/attacks/index.ts')
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-attacks-'))
  const report = join(folder, 'report.jsonl')
  const { isGreen } = await runStep({
    name: 'attacks',
    args: tool(
      'vitest/vitest.mjs',
      'run',
      '--project',
      'journeys',
      '--testTimeout=900000',
      ...(args.length > 0 ? args : ['apps/server/test/attacks']),
    ),
    env: { TOLLGATE_ATTACKS: 'long', TOLLGATE_ATTACKS_REPORT: report },
  })
  const counts = countsIn(report)
  rmSync(folder, { recursive: true, force: true })
  const kinds =
    args.length > 0 ? [...counts.keys()] : [...new Set([...Object.keys(floors), ...counts.keys()])]
  const lines = kinds.map((kind) => lineOf(kind, counts.get(kind), floors[kind] ?? 1))
  process.stdout.write(`\n${lines.map(({ text }) => text).join('\n')}\n`)
  process.exit(isGreen && lines.every(({ isEnough }) => isEnough) ? 0 : 1)
}

/**
 * Reports of the same kind are summed.
 * @returns {Map<string, { count: number, of: number }>}
 */
function countsIn(path) {
  const counts = new Map()
  const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
  for (const line of text.split('\n').filter(Boolean)) {
    const { kind, count, of = 0 } = JSON.parse(line)
    const known = counts.get(kind) ?? { count: 0, of: 0 }
    counts.set(kind, { count: known.count + count, of: known.of + of })
  }
  return counts
}

function lineOf(kind, { count, of } = { count: 0, of: 0 }, floor) {
  const least = Math.max(floor, of)
  const isEnough = count >= least
  return { isEnough, text: `${isEnough ? 'ok  ' : 'FAIL'} ${kind}: ${count} attacks (at least ${least})` }
}
