// The static checks that `npm run verify` and `npm test` share.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './install.mjs'
import { tool } from './steps.mjs'

/**
 * For the tools written in Go. With one thread, the linter's type checker resolves each shared type once
 * instead of once per thread, which takes a third less CPU time; the tests use the other core. Collecting
 * garbage half as often saves a few seconds more.
 */
const oneCore = { GOMAXPROCS: '1', GOGC: '200' }

const lint = {
  name: 'lint',
  args: tool('oxlint/bin/oxlint', '--type-aware', '--deny-warnings'),
  env: oneCore,
}
const lintWithoutTypes = { name: 'lint', args: tool('oxlint/bin/oxlint', '--deny-warnings') }
const format = { name: 'format', args: tool('oxfmt/bin/oxfmt', '--check') }
const words = { name: 'words and documents', args: [join(root, 'scripts/check-text.mjs')] }
const house = { name: 'house rules', args: [join(root, 'scripts/house/index.mjs'), 'check'] }
const wholeHouse = { ...house, args: [...house.args, '--all'] }
const unusedCode = {
  name: 'unused code',
  args: tool('knip/bin/knip.js', '--no-progress', '--no-config-hints'),
}

const PROJECTS = ['tsconfig.json', 'apps/console/tsconfig.json', 'e2e/tsconfig.json']

/** The slowest first. @type {import('./steps.mjs').Step[]} */
export const staticChecks = [
  lint,
  types('server', PROJECTS[0]),
  types('console', PROJECTS[1]),
  types('walks', PROJECTS[2]),
  format,
  words,
  wholeHouse,
  unusedCode,
]

/**
 * For `npm run verify`. Tools that remember the last run compare the dates of files and `staticChecks` their
 * contents, so these miss a file that was replaced by another one with an old date. The rules of the linter
 * that need types, which take most of its time, look only at changed files.
 * @param {readonly string[] | undefined} changed the files of the change; `undefined` means all
 * @returns {import('./steps.mjs').Step[]}
 */
export function quickChecks(changed) {
  const sources = changed?.filter((path) => SOURCE.test(path) && existsSync(join(root, path)))
  const typedLint = sources && { ...lint, name: 'lint with types', args: [...lint.args, ...sources] }
  return [
    ...(typedLint ? [lintWithoutTypes, ...(sources.length > 0 ? [typedLint] : [])] : [lint]),
    {
      name: 'types',
      args: tool(
        'typescript/bin/tsc',
        '--build',
        ...PROJECTS.map((path) => join(root, path)),
        '--checkers',
        '1',
      ),
      env: oneCore,
    },
    { ...unusedCode, args: [...unusedCode.args, '--cache'] },
    format,
    words,
    house,
  ]
}

const SOURCE = /\.(?:ts|tsx|js|mjs|cjs)$/

/** What the console is built from, in this repository. */
const CONSOLE = /^(?:apps\/console|packages\/(?:contract|kit))\/|^package-lock\.json$/

/** @param {readonly string[] | undefined} changed */
export function touchesConsole(changed) {
  return changed?.some((path) => CONSOLE.test(path)) ?? true
}

/** Three workers, because the tests wait for processes, disks and timers a third of their time. */
export const unitTests = tests('unit tests', { projects: ['unit', 'unit-mocked', 'console'], workers: 3 })

/** One worker, because loading the component library takes seconds. */
export const componentTests = tests('component tests', { projects: ['console-dom'], workers: 1 })

function tests(name, { projects, workers }) {
  return {
    name,
    args: tool(
      'vitest/vitest.mjs',
      'run',
      ...projects.flatMap((project) => ['--project', project]),
      `--maxWorkers=${workers}`,
      '--reporter=dot',
    ),
  }
}

/**
 * By default TypeScript divides the files among four checkers, and each resolves the shared types again. One
 * checker takes half the CPU time, and the other checks run beside it.
 */
function types(name, project) {
  const args = tool('typescript/bin/tsc', '--checkers', '1', '-p', join(root, project))
  return { name: `types of the ${name}`, args, env: oneCore }
}
