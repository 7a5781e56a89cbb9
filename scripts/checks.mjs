// The static checks that `npm run verify` and `npm test` share.
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
const format = { name: 'format', args: tool('oxfmt/bin/oxfmt', '--check') }
const words = { name: 'words and documents', args: [join(root, 'scripts/check-text.mjs')] }
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
  unusedCode,
]

/**
 * The same checks, which skip what did not change since the last time. They compare the dates of files and
 * `staticChecks` their contents, so these miss a file that was replaced by another one with an old date.
 * @type {import('./steps.mjs').Step[]}
 */
export const quickChecks = [
  lint,
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
]

/** Two runs. The console's tests get one worker, because loading the component library takes seconds. */
export const unitTests = [
  tests('unit tests', { projects: ['unit', 'unit-mocked'], workers: 2 }),
  tests('unit tests of the console', { projects: ['console', 'console-dom'], workers: 1 }),
]

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
